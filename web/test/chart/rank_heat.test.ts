import { describe, expect, test } from "vitest";
import { distanceOf, scaleOf, stepsOf } from "../../src/chart/rank_heat";
import type { RankHeat } from "../../src/core/api_ranks";

const array = (...values: number[]) => Float64Array.from(values);

describe("a heat map of ranks", () => {
  const heat: RankHeat = {
    columns: 2,
    from: 1,
    to: 5,
    rows: [
      [0, 0],
      [1, 1],
    ],
    value: array(100, 125, NaN, 0),
    median: array(100, 100, 100, 0),
    recorded: array(1, 1, 1, 1),
  };
  test("shows the distance from the median", () =>
    expect([0, 1, 2, 3].map((cell) => distanceOf(heat, cell))).toEqual([0, 0.25, NaN, 0]));
  test("has the full colour where nearly all are nearer, at 5 % at least", () => {
    expect(scaleOf({ ...heat, value: array(100, 101, 99, 0) })).toBe(0.05);
    expect(scaleOf({ ...heat, value: array(150, 150, 150, 0) })).toBe(0.5);
  });
  test("has each step in one column", () =>
    expect([stepsOf(heat, 0), stepsOf(heat, 1)]).toEqual([
      [1, 3],
      [4, 5],
    ]));
});
