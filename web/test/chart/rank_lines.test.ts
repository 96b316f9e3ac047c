import { describe, expect, test } from "vitest";
import { rowsAt } from "../../src/chart/cursor_rows";
import { extentOf } from "../../src/chart/line";
import { bandLine, slotOfCurve, slotOfRank, splitByRanks } from "../../src/chart/rank_lines";

const array = (...values: number[]) => Float64Array.from(values);
const nobody = { total: 0, named: [] };

describe("requests of runs with many ranks", () => {
  const of = (run: string, ranks: number) =>
    Array.from({ length: ranks }, (_, rank) => ({ run, tag: "loss", rank }));
  test("are asked for together, those of others one by one", () => {
    const { few, many } = splitByRanks([...of("a", 4), ...of("b", 5)], () => [0, 1, 2, 3, 4]);
    expect(few).toEqual(of("a", 4));
    expect([...many]).toEqual([["b", ["loss"]]]);
  });
  test("count the ranks that the run has, not those of the other runs", () => {
    const { many } = splitByRanks(of("a", 16), () => [0]);
    expect(many.size).toBe(0);
  });
});

describe("a band of ranks", () => {
  const none = array(0, 0);
  const line = bandLine(
    {
      run: "a",
      tag: "loss",
      ranks: 16,
      leaving: nobody,
      nonfinite: nobody,
      missing: nobody,
      shown: {
        exact: true,
        firstStep: array(1, 2),
        lastStep: array(1, 2),
        low: array(1, -7),
        high: array(3, 9),
        first: array(2, 4),
        last: array(2, 4),
        least: array(2, 4),
        most: array(2, 4),
        nan: none,
        up: none,
        down: none,
      },
    },
    "a",
    0,
    0,
  );
  test("is drawn with its axis around every value", () =>
    expect(extentOf([line], null)).toMatchObject({ lo: -7, hi: 9 }));
  test("says median, range and number of ranks at the cursor", () =>
    expect(rowsAt([line], 2)[0]).toMatchObject({ name: "a (16 ranks)", text: "4 (−7 … 9)" }));
  test("has its ranks' lines in other colours or dashes", () => {
    expect([0, 1].map((place) => slotOfRank(3, place, true))).toEqual([4, 5]);
    expect([0, 1].map((place) => slotOfRank(3, place, false))).toEqual([13, 23]);
  });
});

describe("the colours of curves", () => {
  test("of one run are hues, and its ranks dashes", () =>
    expect([
      slotOfCurve(3, 0, 0, true),
      slotOfCurve(3, 2, 0, true),
      slotOfCurve(3, 2, 1, true),
    ]).toEqual([3, 5, 15]));
  test("of several runs are dashes of the run's hue", () =>
    expect([slotOfCurve(3, 0, 0, false), slotOfCurve(3, 1, 0, false)]).toEqual([3, 13]));
});
