import { describe, expect, test } from "vitest";
import { layOut, plotSvg, rasterDots } from "../../src/chart/draw";
import type { Line } from "../../src/chart/line";
import { Raster } from "../../src/chart/raster";
import { lineOf as exportedLine } from "../../src/export";
import { line as lineOf } from "./line_of";

const line = (values: number[], x = values.map((_, i) => i)) => lineOf("a", x, values);

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
