import { describe, expect, it } from "vitest";
import { slicesOf } from "../../../src/pages/profile/operator_pie";

describe("the operators' pie", () => {
  const row = (type: string, share: number) => ({
    name: "",
    type,
    shapes: "",
    count: 1,
    total: 1,
    self: 1,
    share,
    flops: 0,
    on_device: false,
    device: 0,
    device_self: 0,
  });
  it("has the greatest nine and the others as one, together 1", () => {
    const slices = slicesOf(Array.from({ length: 12 }, (_, i) => row(`t${i}`, i + 1)));
    expect(slices.map(({ name }) => name)).toEqual([
      "t11",
      "t10",
      "t9",
      "t8",
      "t7",
      "t6",
      "t5",
      "t4",
      "t3",
      "",
    ]);
    expect(slices[9]!.types).toBe(3);
    expect(slices.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  });
  it("is empty where nothing took time", () => expect(slicesOf([row("a", 0)])).toEqual([]));
});
