import { describe, expect, test } from "vitest";
import { greatestFirst, nearestFirst, rowsAt } from "../../src/chart/cursor_rows";
import { smooth } from "../../src/chart/smooth";
import { line, means } from "./line_of";

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
