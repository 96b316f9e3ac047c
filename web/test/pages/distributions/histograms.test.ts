import { describe, expect, it, test } from "vitest";
import type { Histogram } from "../../../src/core/api";
import { notDrawn, whyNotDrawn, withStep } from "../../../src/pages/distributions/histograms";

describe("distributions at any step", () => {
  const at = (step: number): Histogram => ({
    step,
    time: 0,
    at: `p${step}`,
    edges: [0, 1],
    counts: [1],
    count: 1,
    nan: 0,
    positive_inf: 0,
    negative_inf: 0,
  });
  it("take the chosen one in among those that are drawn", () => {
    expect(withStep([at(1), at(9)], at(5)).map(({ step }) => step)).toEqual([1, 5, 9]);
    expect(withStep([at(1)], at(5)).map(({ step }) => step)).toEqual([1, 5]);
    expect(withStep([at(1), at(9)], at(9))).toHaveLength(2);
  });
});

const histogram = (step: number, other: Partial<Histogram> = {}): Histogram => ({
  step,
  time: 0,
  edges: [0, 1],
  counts: [4],
  count: 4,
  nan: 0,
  positive_inf: 0,
  negative_inf: 0,
  ...other,
});
const none = { edges: [], counts: [] };

test("a histogram that is not drawn says why", () => {
  expect(whyNotDrawn(histogram(1))).toBe("");
  expect(whyNotDrawn(histogram(1, { nan: 3 }))).toBe("");
  expect(whyNotDrawn(histogram(1, { ...none, nan: 20 }))).toBe("All 20 values are NaN.");
  expect(whyNotDrawn(histogram(1, { ...none, nan: 1, positive_inf: 2 }))).toBe(
    "All 3 values are NaN or infinite.",
  );
  expect(whyNotDrawn(histogram(1, { ...none, negative_inf: 2 }))).toBe(
    "All 2 values are NaN or infinite.",
  );
  expect(whyNotDrawn(histogram(1, { counts: [0] }))).toBe("It has no values.");
  expect(whyNotDrawn(histogram(1, { ...none, error: "3 limits" }))).toBe(
    "It cannot be read: 3 limits",
  );
});

test("those that are not drawn are counted by kind, with the first one's reason", () => {
  expect(notDrawn([histogram(0)])).toEqual([]);
  expect(
    notDrawn([
      histogram(0),
      histogram(1, { ...none, nan: 20 }),
      histogram(2, { ...none, nan: 30 }),
      histogram(3, { ...none, error: "cut" }),
    ]),
  ).toEqual([
    { count: 2, why: "All 20 values are NaN." },
    { count: 1, why: "It cannot be read: cut" },
  ]);
});
