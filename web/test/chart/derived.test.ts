import { describe, expect, test } from "vitest";
import { groupLines, linesAgainst, statisticsOf } from "../../src/chart/derived";
import { layOut } from "../../src/chart/draw";
import { extentOf, notFinite, traceBand } from "../../src/chart/line";
import { linearScale } from "../../src/chart/scale";
import { GroupSlots } from "../../src/core/colors";
import { line, means } from "./line_of";

describe("lines made of lines", () => {
  test("a tag against a tag: by run and step, in the order of steps", () => {
    const [pairs, ...more] = linesAgainst(
      [line("a", [1, 2, 3], [5, 6, 7]), line("b", [1], [1])],
      [line("a", [1, 3, 4], [0.5, 0.25, 9]), line("c", [1], [1])],
    );
    expect(more).toEqual([]);
    expect([...pairs!.x]).toEqual([0.5, 0.25]);
    expect([...pairs!.last]).toEqual([5, 7]);
    expect([...pairs!.steps]).toEqual([1, 3]);
  });
  test("statistics are of the finite values", () => {
    const of = statisticsOf(line("a", [1, 2, 3, 4], [2, NaN, 4, Infinity]));
    expect(of).toMatchObject({
      count: 2,
      least: 2,
      leastAt: 1,
      most: 4,
      mostAt: 3,
      mean: 3,
      last: Infinity,
    });
    expect(of.deviation).toBeCloseTo(Math.SQRT2, 12);
  });
  test("columns have exact counts and extremes, and no mean", () => {
    const one = new Float64Array([1]);
    const none = new Float64Array([0]);
    const of = statisticsOf({
      ...line("a", [1], [3]),
      exact: false,
      lo: new Float64Array([-7]),
      hi: new Float64Array([9]),
      count: new Float64Array([5]),
      nan: one,
      up: none,
      down: none,
    });
    expect(of).toMatchObject({ count: 4, least: -7, most: 9, mean: NaN });
  });
});

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
      ({ run }) => run[0]!,
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
