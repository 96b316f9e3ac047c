import { describe, expect, test } from "vitest";
import { opsText } from "../../../src/pages/graphs/dumps";

describe("what a pass changed", () => {
  test("the most first, then by name", () => {
    expect(opsText({ MatMul: 1, Cast: -3, Add: 0, Relu: 1 })).toBe("−3 Cast, +1 MatMul, +1 Relu");
    expect(opsText({ a: 1, b: 1, c: 1 }, 2)).toBe("+1 a, +1 b, …");
  });
});
