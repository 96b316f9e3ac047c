import { expect, test } from "vitest";
import { densities } from "../../src/chart/distribution";

test("distributions: a bucket's height is its count by its width", () => {
  expect(densities({ edges: [0, 1, 3], counts: [4, 4] })).toEqual([4, 2]);
});
