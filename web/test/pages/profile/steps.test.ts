import { expect, it } from "vitest";
import type { OperatorRow } from "../../../src/core/api_profile";
import { longestSteps, namedParts } from "../../../src/pages/profile/steps";

it("no slow step is lost where steps share a column", () => {
  const total = Array.from({ length: 1000 }, (_, i) => (i === 777 ? 50 : 1));
  const shown = longestSteps(total, 100);
  expect(shown).toHaveLength(100);
  expect(shown).toContain(777);
  expect(longestSteps([3, 4], 100)).toEqual([0, 1]);
});

const row = (type: string, count: number, total: number, self = total): OperatorRow => ({
  name: "",
  type,
  shapes: "",
  count,
  total,
  self,
  share: 0,
  flops: 0,
  on_device: false,
  device: 0,
  device_self: 0,
});

it("the parts of a step without operators are what ran in each step", () => {
  expect(namedParts([row("forward", 10, 50), row("evaluation", 2, 90)], 10)).toMatchObject([
    { name: "forward", time: 5 },
  ]);
});
