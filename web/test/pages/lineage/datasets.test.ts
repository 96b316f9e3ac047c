import { describe, expect, it } from "vitest";
import type { DatasetStage } from "../../../src/core/api";
import { stageRows, stagesOf } from "../../../src/pages/lineage/datasets";

describe("datasets side by side", () => {
  const stage = (op_type: string, change: Partial<DatasetStage> = {}): DatasetStage => ({
    op_type,
    parameters: { op_type },
    operations: [],
    sampler: null,
    children: [],
    ...change,
  });
  const rescale = {
    parameters: { tensor_op_name: "Rescale", tensor_op_params: '{"r": 1}' },
    size: [],
    weights: [],
  };
  const pipeline = (size: number, more: DatasetStage[] = []): DatasetStage =>
    stage("Batch", {
      parameters: { op_type: "Batch", batch_size: size },
      children: [stage("Map", { operations: [rescale], children: [...more, stage("Source")] })],
    });
  it("have their stages from the source on, with operations by name", () => {
    expect(stagesOf(pipeline(32))).toEqual([
      { name: "Source", settings: {} },
      { name: "Map", settings: { operations: 'Rescale {"r": 1}' } },
      { name: "Batch", settings: { batch_size: "32" } },
    ]);
  });
  it("mark what differs, and a stage that one run lacks", () => {
    const rows = stageRows([stagesOf(pipeline(32)), stagesOf(pipeline(64, [stage("Source")]))]);
    expect(
      rows
        .filter(({ differs }) => differs)
        .map(({ stage, setting, values }) => [stage, setting, values]),
    ).toEqual([
      ["Source 2", "", [undefined, "✓"]],
      ["Batch", "batch_size", ["32", "64"]],
    ]);
  });
});
