import { describe, expect, test } from "vitest";
import { layOut, plotSvg, rasterDots } from "../src/chart/draw";
import { type Line, outliersOf } from "../src/chart/line";
import { pairsOf, roleOf } from "../src/chart/pairs";
import { percentilesOf } from "../src/chart/percentiles";
import { Raster } from "../src/chart/raster";
import type { Run } from "../src/core/api";
import { assignSlots } from "../src/core/colors";
import { merged, withEntry } from "../src/core/kept";
import { lineOf as exportedLine } from "../src/export";
import { readBrushes, withScalars, writeBrush } from "../src/pages/lineage/axes";
import { bucketsOf } from "../src/pages/lineage/plots";
import { areaOf, curveOf } from "../src/pages/media/curves";
import { difference, isGrey, type Picture, pixelText } from "../src/pages/media/pixels";
import { compare, indexOf } from "../src/pages/tensors/compare";
import { line as lineOf } from "./line";

const line = (values: number[], x = values.map((_, i) => i)) => lineOf("a", x, values);

describe("validation stands with training", () => {
  const pairs = (...tags: string[]) =>
    pairsOf(tags.map((tag) => ({ tag }))).map(({ tag, others }) => [
      tag.tag,
      ...others.map((other) => other.tag),
    ]);
  test.each([
    [["train/loss", "val/loss"], [["train/loss", "val/loss"]]],
    [
      ["loss", "val_loss", "lr"],
      [["loss", "val_loss"], ["lr"]],
    ],
    [
      ["Accuracy/train", "Accuracy/test", "Accuracy/validation"],
      [["Accuracy/train", "Accuracy/test", "Accuracy/validation"]],
    ],
    [
      ["loss", "train/loss", "eval/loss"],
      [["loss"], ["train/loss", "eval/loss"]],
    ],
  ])("%j", (tags, wanted) => expect(pairs(...tags)).toEqual(wanted));
  test("alone, or with a word that is all of the tag, each stays by itself", () => {
    expect(pairs("val/loss", "lr", "test", "validation")).toEqual([
      ["val/loss"],
      ["lr"],
      ["test"],
      ["validation"],
    ]);
    expect(roleOf("train_test_gap").role).toBe("");
    expect(roleOf("interval/loss").role).toBe("");
  });
});

describe("outliers", () => {
  test("are what lies three quartile distances out; they are counted", () => {
    expect(outliersOf([line([1, 2, 3, 4, 5, 6, 7, 8, 1000, -900])], null)).toEqual({
      lo: 1,
      hi: 8,
      count: 2,
    });
    expect(outliersOf([line([1, 2, 3, 4, 5, 6, 7, 8])], null)).toBeNull();
    expect(outliersOf([line([5, 5, 5, 5, 5, 5, 5, 5, 9])], null)).toBeNull();
  });
  test("of the range alone", () => {
    expect(outliersOf([line([900, 2, 3, 4, 5, 6, 7, 8, 9])], [1, 8])).toBeNull();
  });
  test("the axis leaves them out", () => {
    const plot = layOut([line([1, 2, 3, 4, 5, 6, 7, 8, 1000])], 300, 200, {
      axis: "step",
      log: false,
      range: null,
      compact: false,
      clip: true,
    })!;
    expect(plot.outliers).toBe(1);
    expect(plot.y.hi).toBeLessThan(10);
  });
});

describe("a finite value between others", () => {
  globalThis.document ??= { documentElement: {} } as unknown as Document;
  globalThis.getComputedStyle ??= (() => ({
    getPropertyValue: () => "#123456",
  })) as unknown as typeof getComputedStyle;
  const many = (at: Readonly<Record<number, number>>) =>
    Array.from({ length: 300 }, (_, i) => at[i] ?? NaN);
  const circles = (one: Line, log = false) => {
    const style = { axis: "step", log, range: null, compact: false } as const;
    const plot = layOut([one], 200, 200, style)!;
    const svg = plotSvg(plot, [one], style, "light", [], "t", () => 9);
    return [...svg.matchAll(/<path d="M[-\d. ]+a2.5 /g)].length;
  };
  test.each([
    ["alone", { 150: 1 }, 1],
    ["at both ends", { 0: 1, 299: 2 }, 2],
    ["one on each side of neighbours", { 3: 1, 150: 2, 151: 3, 290: 4 }, 2],
    ["none, where each has a neighbour", { 10: 1, 11: 2 }, 0],
  ])("is a dot: %s", (_, at, dots) => {
    expect(circles(line(many(at)))).toBe(dots);
    expect(circles(line(many(at)), true)).toBe(dots);
    const smoothed = line(many(at));
    smoothed.smoothed = smoothed.lo;
    expect(circles(smoothed)).toBe(2 * dots);
  });
  test("is a dot between values that a log axis cannot show", () => {
    const values = Array.from({ length: 300 }, (_, i) => (i === 7 || i === 200 ? 5 : -i));
    expect(circles(line(values), true)).toBe(2);
    expect(circles(line(values))).toBe(0);
  });
  test("is a dot among columns, unless the column has a height", () => {
    const columns = (lo: number[], hi: number[]): Line => ({
      ...line(lo),
      exact: false,
      hi: Float64Array.from(hi),
      first: Float64Array.from(lo, () => NaN),
      last: Float64Array.from(lo, () => NaN),
      nan: Float64Array.from(lo, () => 1),
    });
    expect(circles(columns(many({ 5: 1, 9: 2 }), many({ 5: 1, 9: 3 })))).toBe(1);
  });
  test("is a dot in the exported page, and among many lines", () => {
    const data = new DataView(new ArrayBuffer(12 * 300));
    many({ 20: 0.5 }).forEach((value, i) => {
      data.setUint32(12 * i, i, true);
      data.setFloat32(12 * i + 4, value, true);
      data.setFloat32(12 * i + 8, value, true);
    });
    const text = String.fromCharCode(...new Uint8Array(data.buffer));
    expect(circles(exportedLine(btoa(text), 0, 1))).toBe(1);
    const raster = new Raster(20, 20, 1, 0, 0);
    raster.pen([1, 2, 3], 1);
    rasterDots(raster, [[10, 10]]);
    expect([9, 10, 11].map((column) => raster.at(column, 10) !== 0)).toEqual([true, true, true]);
    expect(raster.at(13, 10)).toBe(0);
  });
});

describe("a logarithmic x axis", () => {
  test("begins at the first positive place", () => {
    const plot = layOut([line([1, 2, 3], [0, 10, 1000])], 300, 200, {
      axis: "step",
      log: false,
      range: null,
      compact: false,
      logX: true,
    })!;
    expect(plot.x.lo).toBe(10);
    expect(plot.x.at(100)).toBeCloseTo((plot.left + plot.right) / 2, 6);
  });
});

describe("a chart as SVG", () => {
  globalThis.document ??= { documentElement: {} } as unknown as Document;
  globalThis.getComputedStyle ??= (() => ({
    getPropertyValue: () => "#123456",
  })) as unknown as typeof getComputedStyle;
  test("has the line's every value, and its texts are inert", () => {
    const style = { axis: "step", log: false, range: null, compact: false } as const;
    const lines = [line([1, NaN, 3, 100])];
    const text = plotSvg(
      layOut(lines, 300, 200, style)!,
      lines,
      style,
      "light",
      [],
      "<script>&",
      (label) => label.length * 6,
    );
    expect(text).not.toContain("<script");
    expect(text).toContain("&#60;script&#62;&#38;");
    const paths = [...text.matchAll(/<path d="([^"]+)" fill="none" stroke="#2966d2"/g)].map(
      (match) => match[1]!,
    );
    expect(paths).toHaveLength(1);
    expect(paths[0]!.match(/[ML]/g)).toEqual(["M", "M", "L"]);
  });
  test("writes no label of the x axis over another", () => {
    const style = { axis: "relative", log: false, range: null, compact: false } as const;
    const lines = [{ ...line([1, 2]), x: Float64Array.of(0.000701, 0.00085) } as Line];
    const text = plotSvg(
      layOut(lines, 1000, 200, style)!,
      lines,
      style,
      "light",
      [],
      "t",
      (label) => label.length * 6,
    );
    const labels = [
      ...text.matchAll(/<text x="([\d.]+)" y="[\d.]+" text-anchor="(\w+)"[^>]*>([^<]* s)</g),
    ].map(([, x, anchor, label]) => {
      const width = label!.length * 6;
      const begin = Number(x) - (anchor === "middle" ? width / 2 : anchor === "end" ? width : 0);
      return [begin, begin + width] as const;
    });
    expect(labels.length).toBeGreaterThan(5);
    labels.slice(1).forEach(([begin], i) => expect(begin).toBeGreaterThan(labels[i]![1]));
  });
  test("leaves out what has no place on a logarithmic x axis", () => {
    const style = { axis: "step", log: false, range: null, compact: false, logX: true } as const;
    const lines = [line([1, 2, 3], [0, 10, 100])];
    expect(
      plotSvg(
        layOut(lines, 300, 200, style)!,
        lines,
        style,
        "light",
        [],
        "t",
        (label) => label.length * 6,
      ),
    ).not.toMatch(/NaN|Infinity/);
  });
});

describe("what people add", () => {
  test("is merged; what is empty is taken out, and a run without any with it", () => {
    expect(merged({ name: "x", tags: ["a"] }, { note: "n", tags: [] })).toEqual({
      name: "x",
      note: "n",
    });
    expect(merged({ hidden: true, color: 0 }, { hidden: false })).toEqual({ color: 0 });
    expect(withEntry({ a: { name: "x" }, b: {} }, "a", {})).toEqual({ b: {} });
  });
  test("a chosen colour is the run's; who held it gives it up", () => {
    const held = assignSlots(new Map(), ["a", "b"]);
    expect([...assignSlots(held, ["a", "b"], (id) => (id === "b" ? 0 : undefined))]).toEqual([
      ["b", 0],
      ["a", 1],
    ]);
  });
});

describe("pictures", () => {
  const picture = (...pixels: number[][]): Picture => ({
    width: pixels.length,
    height: 1,
    bytes: Uint8ClampedArray.from(pixels.flatMap((p) => [...p, 255])),
  });
  test("their difference: red where there is more, blue where less, white where they are equal", () => {
    const found = difference(
      picture([10, 10, 10], [5, 5, 5], [0, 0, 0]),
      picture([0, 0, 0], [5, 5, 5], [20, 20, 20]),
    )!;
    expect(found).toMatchObject({ most: 20, pixels: 2 });
    const [r, , b] = found.picture.bytes;
    expect(r).toBeGreaterThan(b!);
    expect([...found.picture.bytes.slice(4, 7)]).toEqual([255, 255, 255]);
    expect(found.picture.bytes[10]).toBeGreaterThan(found.picture.bytes[8]!);
  });
  test("of other sizes have none", () =>
    expect(difference(picture([1, 1, 1]), picture([1, 1, 1], [1, 1, 1]))).toBeNull());
  test("a pixel's numbers", () => {
    const grey = picture([7, 7, 7], [8, 8, 8]);
    expect(isGrey(grey)).toBe(true);
    expect(pixelText(grey, 1, 0, true)).toBe("8");
    expect(pixelText(picture([1, 2, 3]), 0, 0, false)).toBe("1 2 3");
  });
});

describe("precision and recall", () => {
  test("rows five and six, from the highest threshold on; the area below", () => {
    const curve = curveOf({
      shape: [6, 3],
      data: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0.8, 1, 1, 0.5, 0],
    })!;
    expect([...curve.recall]).toEqual([0, 0.5, 1]);
    expect([...curve.precision]).toEqual([1, 0.8, 0.5]);
    expect(areaOf(curve)).toBeCloseTo(0.45 + 0.325, 12);
    expect(curveOf({ shape: [5, 3], data: [] })).toBeNull();
  });
});

describe("percentiles of a histogram", () => {
  const histogram = (edges: number[], counts: number[]) => ({ step: 0, time: 0, edges, counts });
  test("lie evenly within a bucket, and never in an empty one", () => {
    expect(percentilesOf(histogram([0, 10], [4]), [0, 0.25, 0.5, 1])).toEqual([0, 2.5, 5, 10]);
    expect(percentilesOf(histogram([0, 1, 9, 10], [1, 0, 1]), [0, 0.25, 0.75, 1])).toEqual([
      0, 0.5, 9.5, 10,
    ]);
    expect(percentilesOf(histogram([0, 1, 2, 3], [0, 5, 0]), [0, 1])).toEqual([1, 2]);
    expect(percentilesOf(histogram([0, 1], [0]))).toBeNull();
  });
});

describe("two tensors", () => {
  test("what differs, where first, where most, and by how much of the other", () => {
    const found = compare(Float64Array.of(1, 2, NaN, 4, 5), Float64Array.of(1, 2.5, NaN, 8, 5))!;
    expect(found).toMatchObject({ unequal: 2, first: 1, most: 4, mostAt: 3, relative: 0.5 });
    expect([...found.by]).toEqual([0, -0.5, 0, -4, 0]);
    expect(compare(Float64Array.of(NaN), Float64Array.of(1))).toMatchObject({
      unequal: 1,
      most: Infinity,
      mostAt: 0,
    });
    expect(compare(Float64Array.of(1), Float64Array.of(1, 2))).toBeNull();
    expect(indexOf(7, [2, 5])).toBe("[1, 2]");
  });
});

describe("the lineage with the last values of scalars", () => {
  const run = (id: string, value: number | null) =>
    ({
      id,
      values: value === null ? {} : { loss: { value, min: value / 2 } },
      lineage: {},
    }) as unknown as Run;
  test("last and least values are columns; a run without any has none", () => {
    const table = withScalars(
      {
        columns: [{ key: "lr", numeric: true }],
        rows: [
          { run: "a", values: [0.1] },
          { run: "c", values: [1] },
        ],
      },
      [run("a", 4), run("b", 6), run("c", null), run("d", null)],
    );
    expect(table.columns.map(({ key }) => key)).toEqual(["lr", "last(loss)", "min(loss)"]);
    expect(table.rows).toEqual([
      { run: "a", values: [0.1, 4, 2] },
      { run: "b", values: [null, 6, 3] },
      { run: "c", values: [1, null, null] },
    ]);
  });
  test("brushes go through the address", () => {
    expect([...readBrushes([writeBrush("a~b", [0.25, 1]), "x", "y~2~1"])]).toEqual([
      ["a~b", [0.25, 1]],
    ]);
  });
  test("buckets hold every finite value", () => {
    expect(bucketsOf([1, 2, 3, NaN, 4])!.counts.reduce((a, b) => a + b)).toBe(4);
    expect(bucketsOf([2, 2])).toEqual({ lo: 2, hi: 2, counts: [2] });
    expect(bucketsOf([NaN])).toBeNull();
  });
});
