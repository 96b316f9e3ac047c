import { describe, expect, test } from "vitest";
import { flattenDataset } from "../../../src/pages/graphs/source";

describe("a dataset's pipeline", () => {
  test("is a graph in the order in which data runs; operations unfold", () => {
    const operation = (parameters: Record<string, unknown>) => ({
      parameters,
      size: [],
      weights: [],
    });
    const rest = { parameters: {}, operations: [], sampler: null, children: [] };
    const source = { ...rest, op_type: "MnistDataset" };
    const operations = [
      operation({ tensor_op_name: "Resize", size: [28, 28] }),
      operation({ tensor_op_name: "HWC2CHW" }),
    ];
    const map = { ...rest, op_type: "Map", operations, children: [source] };
    const { scopes, details } = flattenDataset({
      ...rest,
      op_type: "Batch",
      parameters: { batch_size: 32 },
      children: [map],
    });
    const top = scopes.get("")!;
    expect(top.nodes.map(({ id, kind }) => [id, kind])).toEqual([
      ["Batch_1", "op"],
      ["Map_1", "scope"],
      ["MnistDataset_1", "op"],
    ]);
    expect(top.edges.map(({ from, to }) => [from, to])).toEqual([
      ["MnistDataset_1", "Map_1"],
      ["Map_1", "Batch_1"],
    ]);
    expect(scopes.get("Map_1")!.nodes.map(({ label }) => label)).toEqual(["Resize", "HWC2CHW"]);
    expect(details.get("Batch_1")!.attributes).toEqual({ batch_size: "32" });
    expect(details.get("Map_1/0_Resize")!.attributes.size).toBe("[28,28]");
  });
});
