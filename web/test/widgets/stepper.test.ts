import { expect, test } from "vitest";
import { readView } from "../../src/core/address";
import { placeOf, spotOf } from "../../src/widgets/stepper";

test("a wanted step is answered by the nearest recorded one, no request by the newest", () => {
  expect(placeOf([10, 20, 30], "22")).toBe(1);
  expect(placeOf([10, 20, 30], "")).toBe(2);
  expect(placeOf([], "5")).toBe(-1);
});

test.each([
  ["all of one step", [0, 0, 0, 0, 0]],
  ["some of one step", [0, 1, 1, 1, 2, 3, 3]],
  ["steps that a number cannot tell apart", [2 ** 53, 2 ** 53 + 1, 2 ** 53 + 2]],
  ["a part twice: resumed without a purge", [0, 1, 2, 3, 2, 3, 4]],
  ["negative steps", [-2, -2, -1]],
])("every value can be chosen: %s", (_, steps) => {
  const spots = steps.map((_step, i) => spotOf(steps, i));
  expect(new Set(spots).size).toBe(steps.length);
  expect(spots.map((spot) => placeOf(steps, spot))).toEqual(steps.map((_step, i) => i));
  for (const spot of spots)
    expect(readView(`#/tensors?step=${spot}`, []).own.tensors.step).toBe(spot);
});

test("a value that another series lacks: the nearest step, the last of it", () => {
  expect(placeOf([0, 0, 5, 5, 9], "5:3")).toBe(3);
  expect(placeOf([0, 0, 5, 5, 9], "6:1")).toBe(3);
  expect(placeOf([7], "5:3")).toBe(0);
  expect(spotOf([1, 2], 5)).toBe("");
});
