import { describe, expect, test } from "vitest";
import { firstSlice, tableOf } from "../../../src/pages/tensors/tensors";

describe("tensors", () => {
  test("the first slice is a matrix that a table can show", () => {
    expect(firstSlice([])).toBe("");
    expect(firstSlice([10])).toBe("[:]");
    expect(firstSlice([4, 3, 100, 50])).toBe("[0, 0, :64, :32]");
    expect(tableOf([2, 3], 6)).toEqual({ rows: 2, columns: 3 });
    expect(tableOf([20], 20)).toEqual({ rows: 3, columns: 8 });
    expect(tableOf([0, 0], 0)).toEqual({ rows: 0, columns: 0 });
  });
});
