import { expect, it } from "vitest";
import type { DataOperator } from "../../../src/core/api_profile";
import { pipelineOrder } from "../../../src/pages/profile/data_pipeline";

it("a data pipeline is listed from what feeds the training down to its source, circles too", () => {
  const use = (id: number, parent: number | null): DataOperator => ({
    id,
    type: "Op",
    workers: 1,
    parent,
    capacity: 0,
    usage: null,
    average: 0,
    empty: 0,
    cpu_percent: null,
    samples: [],
  });
  expect(
    pipelineOrder([use(2, 1), use(0, null), use(1, 0)]).map(({ use: { id }, depth }) => [
      id,
      depth,
    ]),
  ).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ]);
  expect(pipelineOrder([use(0, 1), use(1, 0)])).toHaveLength(2);
});
