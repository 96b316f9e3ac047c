import { describe, expect, it, test } from "vitest";
import {
  assignSlots,
  GroupSlots,
  runHues,
  slotCount,
  slotOf,
  slotsByAge,
  viridisOf,
} from "../../src/core/colors";
import style from "../../src/tokens.css?raw";

type Rgb = [number, number, number];

const linear = (c: number) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);

const rgb = (hex: string): Rgb =>
  [1, 3, 5].map((i) => linear(parseInt(hex.slice(i, i + 2), 16) / 255)) as Rgb;

const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(rgb(a)), luminance(rgb(b))];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

function oklab([r, g, b]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

// Machado, Oliveira and Fernandes 2009, severity 1, on linear sRGB.
const sights: Record<string, Rgb[]> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

const seen = (matrix: Rgb[], [r, g, b]: Rgb) =>
  matrix.map(([x, y, z]) => Math.min(1, Math.max(0, x * r + y * g + z * b))) as Rgb;

function token(theme: "light" | "dark", name: string): string {
  const block =
    theme === "light"
      ? style.slice(0, style.indexOf('[data-theme="dark"]'))
      : style.slice(style.indexOf('[data-theme="dark"]'));
  return new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(block)![1]!;
}

describe.each(["light", "dark"] as const)("colours of the theme %s", (theme) => {
  test("runs' hues have a contrast of 3 on the page, the panels and a selected row", () => {
    for (const hue of runHues[theme]) {
      for (const ground of ["bg", "panel", "selected"])
        expect(contrast(hue, token(theme, ground)), `${hue} on ${ground}`).toBeGreaterThanOrEqual(
          3,
        );
    }
  });
  test.each(Object.keys(sights))("any two hues are 0.08 apart in OKLab, seen with %s", (sight) => {
    const places = runHues[theme].map((hue) => oklab(seen(sights[sight]!, rgb(hue))));
    for (let i = 0; i < places.length; i++) {
      for (let j = 0; j < i; j++) {
        const distance = Math.hypot(...places[i]!.map((c, k) => c - places[j]![k]!));
        expect(distance, `${runHues[theme][i]} and ${runHues[theme][j]}`).toBeGreaterThanOrEqual(
          0.08,
        );
      }
    }
  });
  test("texts have a contrast of 4.5, controls of 3", () => {
    for (const ground of ["bg", "panel"]) {
      for (const name of ["text", "muted", "accent", "warning", "danger"]) {
        expect(
          contrast(token(theme, name), token(theme, ground)),
          `${name} on ${ground}`,
        ).toBeGreaterThanOrEqual(4.5);
      }
      expect(
        contrast(token(theme, "control"), token(theme, ground)),
        `control on ${ground}`,
      ).toBeGreaterThanOrEqual(3);
    }
    expect(contrast(token(theme, "text"), token(theme, "selected"))).toBeGreaterThanOrEqual(4.5);
    expect(
      contrast(token(theme, "muted"), token(theme, "selected")),
      "muted on selected",
    ).toBeGreaterThanOrEqual(4);
  });
});

describe("slots of runs", () => {
  test("the lowest free slot is taken, and kept while the run is selected", () => {
    const first = assignSlots(new Map(), ["a", "b", "c"]);
    expect([...first.values()]).toEqual([0, 1, 2]);
    const second = assignSlots(first, ["c", "d"]);
    expect(second.get("c")).toBe(2);
    expect(second.get("d")).toBe(0);
  });
  test("more runs than slots share them evenly", () => {
    const many = assignSlots(
      new Map(),
      Array.from({ length: slotCount + 2 }, (_, i) => `run${i}`),
    );
    expect(many.get(`run${slotCount}`)).toBe(0);
    expect(many.get(`run${slotCount + 1}`)).toBe(1);
  });
});

test("viridis goes from purple to yellow and takes no value beyond its ends", () => {
  expect(viridisOf(0)).toEqual([68, 1, 84]);
  expect(viridisOf(1)).toEqual([253, 231, 37]);
  expect(viridisOf(2)).toEqual(viridisOf(1));
  expect(viridisOf(NaN)).toEqual(viridisOf(0));
});

describe("colours", () => {
  test("a run takes its usual slot if that is free", () => {
    const usual = (id: string) => ({ a: 5, b: 5, c: 0 })[id];
    expect([...assignSlots(new Map(), ["a", "b", "c"], undefined, usual)]).toEqual([
      ["a", 5],
      ["c", 0],
      ["b", 1],
    ]);
  });
  test("of up to 30 runs hang on no selection: the oldest has the first", () => {
    const all = ["b", "a", "c"].map((id, i) => ({ id, first_time: i === 2 ? 1 : 7 }));
    const usual = slotsByAge(all);
    expect([...usual]).toEqual([
      ["c", 0],
      ["a", 1],
      ["b", 2],
    ]);
    const alone = assignSlots(new Map(), ["b"], undefined, (id) => usual.get(id));
    const among = assignSlots(new Map(), ["a", "b", "c"], undefined, (id) => usual.get(id));
    expect(alone.get("b")).toBe(among.get("b"));
    expect(
      slotsByAge(Array.from({ length: 31 }, (_, i) => ({ id: `${i}`, first_time: i }))).size,
    ).toBe(0);
  });
  test("groups are in natural order; a later one takes no other's colour", () => {
    const slots = new GroupSlots();
    slots.add(["10", "2", "1"]);
    slots.add(["1", "1.5"]);
    expect(["1", "2", "10", "1.5"].map((name) => slots.of(name))).toEqual([0, 1, 2, 3]);
    slots.add(Array.from({ length: slotCount }, (_, i) => `x${i}`));
    expect(slots.of(`x${slotCount - 1}`)).toBeLessThan(slotCount);
  });
});

it("a type has one colour, whatever number its operator has", () => {
  const slot = (name: string) => slotOf({ name, type: "" });
  expect(slot("MatMul-op12")).toBe(slot("MatMul-op7"));
});
