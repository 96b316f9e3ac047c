import { describe, expect, test } from "vitest";
import { type RankRowOfRun, sortRanks } from "../../src/chart/rank_table";

describe("a table of ranks", () => {
  const row = (rank: number, mean: number): RankRowOfRun => ({
    run: "a",
    rank,
    lastStep: 1,
    last: 1,
    mean,
    min: 0,
    max: 1,
    steps: 1,
    nonfinite: 0,
  });
  const rows = [row(0, 2), row(1, NaN), row(2, 7), row(3, 2)];
  const order = (falling: boolean) => sortRanks(rows, "mean", falling).map(({ rank }) => rank);
  test("is sorted by a column, NaN last and equal ones by rank", () => {
    expect(order(true)).toEqual([2, 0, 3, 1]);
    expect(order(false)).toEqual([0, 3, 2, 1]);
  });
});
