import { describe, expect, test } from "vitest";
import { areaOf, curveOf } from "../../../src/pages/media/curves";

describe("precision and recall", () => {
  test("rows five and six, from the highest threshold on; the area below", () => {
    const curve = curveOf({
      shape: [6, 3],
      data: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0.8, 1, 1, 0.5, 0],
    })!;
    expect([...curve.recall]).toEqual([0, 0.5, 1]);
    expect([...curve.precision]).toEqual([1, 0.8, 0.5]);
    expect(areaOf(curve)).toBeCloseTo(0.45 + 0.325, 12);
    expect(curveOf({ shape: [5, 3], data: [] })).toBeNull();
  });
});
