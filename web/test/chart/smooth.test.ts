import { describe, expect, test } from "vitest";
import { smooth } from "../../src/chart/smooth";

describe("smoothing", () => {
  test("is TensorBoard's debiased mean", () => {
    // last = 0.5 * last + 0.5 * v, divided by 1 - 0.5^n: 1; 1.25 / 0.75; ...
    expect([...smooth([1, 2, 4], 0.5)]).toEqual([1, 5 / 3, 2.625 / 0.875]);
  });
  test("0 gives the values, a constant stays, what is not finite is passed through", () => {
    expect([...smooth([3, 1, 2], 0)]).toEqual([3, 1, 2]);
    expect([...smooth([2, 2, 2], 0.9)]).toEqual([2, 2, 2]);
    const broken = smooth([1, NaN, 2], 0.5);
    expect(broken[1]).toBeNaN();
    expect(broken[2]).toBeCloseTo(5 / 3, 12);
  });
});
