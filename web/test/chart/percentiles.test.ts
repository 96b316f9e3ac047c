import { describe, expect, test } from "vitest";
import { percentilesOf } from "../../src/chart/percentiles";

describe("percentiles of a histogram", () => {
  const histogram = (edges: number[], counts: number[]) => ({ step: 0, time: 0, edges, counts });
  test("lie evenly within a bucket, and never in an empty one", () => {
    expect(percentilesOf(histogram([0, 10], [4]), [0, 0.25, 0.5, 1])).toEqual([0, 2.5, 5, 10]);
    expect(percentilesOf(histogram([0, 1, 9, 10], [1, 0, 1]), [0, 0.25, 0.75, 1])).toEqual([
      0, 0.5, 9.5, 10,
    ]);
    expect(percentilesOf(histogram([0, 1, 2, 3], [0, 5, 0]), [0, 1])).toEqual([1, 2]);
    expect(percentilesOf(histogram([0, 1], [0]))).toBeNull();
  });
});
