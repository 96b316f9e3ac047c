import { describe, expect, test } from "vitest";
import { greatestFirst, nearestFirst, rowsAt } from "../src/chart/cursor_rows";
import { groupLines } from "../src/chart/derived";
import { layOut } from "../src/chart/draw";
import { extentOf, notFinite, traceBand } from "../src/chart/line";
import { linearScale } from "../src/chart/scale";
import { smooth } from "../src/chart/smooth";
import { assignSlots, GroupSlots, slotCount, slotsByAge } from "../src/core/colors";
import { line } from "./line";

const means = (lines: Parameters<typeof groupLines>[0], smoothing = 0) =>
  groupLines(
    lines,
    (run) => run[0]!,
    () => 0,
    smoothing,
  );

describe("mean by", () => {
  test("is of the runs that have the step, in a band of one deviation; NaN is left out", () => {
    const [a, b] = means([
      line("a1", [1, 2], [1, 10]),
      line("a2", [1, 3], [3, 5]),
      line("b1", [1, 2], [7, NaN]),
    ]);
    expect([...a!.steps]).toEqual([1, 2, 3]);
    expect([...a!.last]).toEqual([2, 10, 5]);
    expect(a!.band!.lo[0]).toBeCloseTo(2 - Math.SQRT2, 12);
    expect([a!.band!.lo[1], a!.band!.hi[1]]).toEqual([10, 10]);
    expect([...b!.steps]).toEqual([1, 2]);
    expect([...b!.last]).toEqual([7, NaN]);
    expect([a!.label, b!.label]).toEqual(["a (2)", "b (1)"]);
  });
  test("the axes hold a mean's band", () => {
    const [mean] = means([line("a1", [1], [0]), line("a2", [1], [4])]);
    expect(extentOf([mean!], null)).toMatchObject({ lo: 2 - Math.sqrt(8), hi: 2 + Math.sqrt(8) });
  });
  test("keeps the marks and the number of values that are not finite", () => {
    const lines = means([
      line("a1", [1, 2, 3], [1, NaN, NaN]),
      line("a2", [1, 2, 3], [1, 5, Infinity]),
    ]);
    expect(notFinite(lines)).toEqual({
      nan: 2,
      infinite: 1,
      marks: [
        { x: 2, up: true, nan: true },
        { x: 3, up: true, nan: true },
      ],
    });
    const plot = layOut(lines, 300, 200, { axis: "step", log: false, range: null, compact: false });
    expect(plot!.bad.nan).toBe(2);
  });
  test("the band has a gap where the mean is absent", () => {
    const [mean] = means([line("a1", [0, 1, 2, 3], [1, 1, NaN, 2]), line("a2", [0, 1], [3, 3])]);
    let path = "";
    const at = (name: string) => (x: number, y: number) => {
      path += `${name}${x.toFixed(0)},${y.toFixed(0)} `;
    };
    const scale = linearScale(0, 10, 0, 10);
    traceBand(
      { moveTo: at("M"), lineTo: at("L"), closePath: () => (path += "Z ") },
      mean!,
      scale,
      scale,
    );
    expect(path).toBe("M0,3 L1,3 L1,1 L0,1 Z M3,2 L3,2 Z ");
  });
  test("a second tag has its group's colour", () => {
    const slots = new GroupSlots();
    const beside = { ...line("b1", [1], [1]), beside: true, label: "b1 · val/loss" };
    const lines = groupLines(
      [line("a1", [1], [1]), line("b1", [1], [1]), beside],
      (run) => run[0]!,
      (name) => slots.of(name),
      0,
    );
    expect(lines.map(({ label, slot }) => [label, slot])).toEqual([
      ["a (1)", 0],
      ["b (1)", 1],
      ["b · val/loss (1)", 1],
    ]);
  });
});

describe("the cursor's table", () => {
  const lines = () =>
    means([
      line("a1", [1, 2, 3], [1, NaN, 8]),
      line("a2", [1, 2, 3], [1, NaN, NaN]),
      line("b1", [1, 2], [4, 5]),
      line("b2", [1], [6]),
    ]);
  const rows = (at: number) => rowsAt(lines(), at).map(({ name, text }) => [name, text]);
  test("of means: the number of runs at the step; no value where all are NaN", () => {
    expect(rows(1)).toEqual([
      ["a (2 of 2)", "1"],
      ["b (2 of 2)", "5"],
    ]);
    expect(rows(2)).toEqual([
      ["a (0 of 2)", "–, 2 NaN"],
      ["b (1 of 2)", "5"],
    ]);
    expect(rows(3)[0]).toEqual(["a (1 of 2)", "8, 1 NaN"]);
  });
  test("smoothing does not bring an absent mean back", () => {
    const [mean] = means([line("a1", [1, 2, 3], [1, 2, NaN])], 0.5);
    expect(mean!.smoothed).toEqual(smooth([1, 2, NaN], 0.5));
    expect(rowsAt([mean!], 3)[0]).toMatchObject({ text: "–, 1 NaN", value: NaN });
  });
  test("says where a value is that the cursor is not at", () => {
    expect(rowsAt(lines(), 3).map(({ elsewhere }) => elsewhere)).toEqual([false, true]);
  });
  test("nearest first, or greatest first; NaN is last in both", () => {
    const four = [NaN, 1, 9, 4].map((value, i) => line(`r${i}`, [1], [value]));
    const names = (order: typeof nearestFirst) =>
      rowsAt(four, 1, (value) => Math.abs(value - 3))
        .sort(order)
        .map(({ name }) => name);
    expect(names(nearestFirst)).toEqual(["r3", "r1", "r2", "r0"]);
    expect(names(greatestFirst)).toEqual(["r2", "r3", "r1", "r0"]);
  });
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
