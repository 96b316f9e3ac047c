import { describe, expect, test } from "vitest";
import { linesOf } from "../../src/chart/surface";

describe("a surface while it turns", () => {
  test("has at most so many cells, from the first corner to the last", () => {
    const lines = linesOf(256, 64);
    expect(lines).toHaveLength(65);
    expect([lines[0], lines[64]]).toEqual([0, 255]);
    expect(new Set(lines).size).toBe(65);
    expect(linesOf(5, 64)).toEqual([0, 1, 2, 3, 4]);
  });
});
