import { describe, expect, test } from "vitest";
import { bilinear, shareOf } from "../../src/chart/contours";

describe("landscapes", () => {
  test("between grid points the value is bilinear, outside there is none", () => {
    expect(bilinear([0, 1, 2, 3], 2, 2, 0.5, 0.5)).toBe(1.5);
    expect(bilinear([0, 1, 2, 3], 2, 2, 2, 0)).toBeNaN();
    expect(bilinear([0, NaN, 2, 3], 2, 2, 0.5, 0.5)).toBeNaN();
  });
  test("colours: linear, logarithmic of positive losses, one colour for a plane", () => {
    expect(shareOf([1, 100], false)(50.5)).toBe(0.5);
    expect(shareOf([1, 100], true)(10)).toBeCloseTo(0.5);
    expect(shareOf([2, 2], false)(2)).toBe(0.5);
  });
});
