import { describe, expect, test } from "vitest";
import { layOut } from "../../src/chart/draw";
import {
  extentOf,
  nearest,
  notFinite,
  outliersOf,
  resumedAt,
  toLine,
  traceLine,
  within,
} from "../../src/chart/line";
import { linearScale, logScale } from "../../src/chart/scale";
import type { Series } from "../../src/core/api_series";
import { line as lineOf } from "./line_of";

const line = (values: number[], x = values.map((_, i) => i)) => lineOf("a", x, values);

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

function points(values: number[], steps = values.map((_, i) => i)): Series {
  const step = Float64Array.from(steps);
  return {
    run: "a",
    tag: "t",
    rank: 0,
    total: values.length,
    inRange: values.length,
    resumed: [],
    superseded: 0,
    data: {
      form: "points",
      step,
      time: step.map((s) => 100 + s),
      value: Float64Array.from(values),
    },
  };
}

describe("lines", () => {
  test("a column's smallest and largest value are drawn: no spike is lost", () => {
    const f = (value: number) => new Float64Array([value]);
    const series: Series = {
      run: "a",
      tag: "t",
      rank: 0,
      total: 1000,
      inRange: 1000,
      resumed: [],
      superseded: 0,
      data: {
        form: "columns",
        firstStep: f(0),
        lastStep: f(10),
        firstTime: f(0),
        lastTime: f(1),
        min: f(-5),
        max: f(100),
        first: f(1),
        last: f(2),
        count: f(1000),
        nan: f(0),
        positiveInf: f(0),
        negativeInf: f(0),
      },
    };
    const drawn: number[] = [];
    const path = {
      moveTo: (_: number, y: number) => drawn.push(y),
      lineTo: (_: number, y: number) => drawn.push(y),
    };
    traceLine(
      path,
      toLine(series, "step", 0, "a", 0, 0)!,
      linearScale(0, 10, 0, 10),
      linearScale(0, 1, 0, 1),
    );
    expect(drawn).toContain(100);
    expect(drawn).toContain(-5);
  });
  test("NaN cuts the line and is counted", () => {
    const line = toLine(points([1, NaN, 3, Infinity]), "step", 0, "a", 0, 0)!;
    let moves = 0;
    traceLine(
      { moveTo: () => moves++, lineTo: () => 0 },
      line,
      linearScale(0, 3, 0, 3),
      linearScale(0, 3, 0, 3),
    );
    expect(moves).toBe(2);
    expect(notFinite([line])).toMatchObject({ nan: 1, infinite: 1 });
    expect(extentOf([line], null)).toMatchObject({ lo: 1, hi: 3, xLo: 0, xHi: 3 });
  });
  test("a range is cut out of exact points, both ends included", () => {
    const line = toLine(points([5, 6, NaN, 8]), "step", 0, "a", 0, 0.5)!;
    const steps = [...line.x];
    const [cut] = within([line], [steps[1]!, steps[2]! + 0.5]);
    expect([...cut!.x]).toEqual([steps[1], steps[2]]);
    expect([...cut!.last]).toEqual([6, NaN]);
    expect([...cut!.smoothed!]).toEqual([line.smoothed![1], line.smoothed![2]]);
    expect(cut).toMatchObject({ label: "a", exact: true, inRange: 2 });
    expect(within([line], [steps[3]! + 0.1, steps[3]! + 9])[0]!.x.length).toBe(0);
  });
  test("axes: relative time starts at the run's first event", () => {
    expect([...toLine(points([1, 2]), "relative", 100, "a", 0, 0)!.x]).toEqual([0, 1]);
    expect([...toLine(points([1, 2]), "time", 100, "a", 0, 0)!.x]).toEqual([100, 101]);
    expect(nearest(Float64Array.of(0, 10, 20), 12)).toBe(1);
  });
  test("a log scale has no place for values that are not positive", () => {
    expect(logScale(1, 100, 0, 2).at(10)).toBeCloseTo(1);
    expect(logScale(1, 100, 0, 2).at(0)).toBeNaN();
  });
});

/** Recorded up to step 30, then again from step 20 on, 100 seconds later. */
const twice: Series = {
  run: "a",
  tag: "loss",
  rank: 0,
  total: 5,
  inRange: 5,
  resumed: [20],
  superseded: 2,
  data: {
    form: "points",
    step: Float64Array.of(10, 20, 20, 30, 30),
    time: Float64Array.of(1, 2, 102, 3, 103),
    value: Float64Array.of(5, 4, 4, 3, 3),
  },
};

test("a restart is marked at its step, or at the time when that step was recorded again", () => {
  const at = (axis: "step" | "time" | "relative") =>
    resumedAt(toLine(twice, axis, 1, "a", 0, 0)!, axis);
  expect(at("step")).toEqual([20]);
  expect(at("time")).toEqual([102]);
  expect(at("relative")).toEqual([101]);
});

test("a part of a line keeps its restarts", () => {
  const line = toLine(twice, "step", 0, "a", 0, 0)!;
  expect(resumedAt(within([line], [15, 30])[0]!, "step")).toEqual([20]);
});

test("a restart after the last point has no time", () => {
  const line = toLine({ ...twice, resumed: [40] }, "time", 0, "a", 0, 0)!;
  expect(resumedAt(line, "time")).toEqual([]);
});
