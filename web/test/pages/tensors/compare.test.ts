import { describe, expect, test } from "vitest";
import { compare, indexOf } from "../../../src/pages/tensors/compare";

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
