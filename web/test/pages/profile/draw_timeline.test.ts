import { describe, expect, it } from "vitest";
import { timeAxis } from "../../../src/pages/profile/draw_timeline";

describe("the axis of times", () => {
  it("has one unit", () => {
    expect(timeAxis([0, 4e9], 4).labels).toContain("2 s");
    expect(timeAxis([0, 40e6], 4).labels).toContain("20 ms");
    expect(new Set(timeAxis([1e9, 1e9 + 300], 5).labels).size).toBeGreaterThan(3);
  });
});
