import { describe, expect, test } from "vitest";
import type { GraphNode, GraphScope } from "../src/core/api";
import { opsText } from "../src/pages/graphs/dumps";
import { readCamera } from "../src/pages/graphs/graph_view";
import { foldRepeats, hasBackward, isRepeatKey, partOf } from "../src/pages/graphs/repeats";
import { flattenDataset } from "../src/pages/graphs/source";

const scopeOf = (nodes: GraphNode[], edges: [string, string][] = []): GraphScope => ({
  graph: "g",
  kind: "computational",
  scope: "net",
  nodes_in_graph: nodes.length,
  more: 0,
  nodes,
  edges: edges.map(([from, to]) => ({ from, to, count: 1 })),
  outside: [],
});
const block = (id: string, types = { MatMul: 2 }): GraphNode => ({
  id,
  label: id,
  kind: "scope",
  nodes: 2,
  types,
});

describe("blocks that repeat", () => {
  const blocks = scopeOf(
    [
      block("in", { Cast: 1 } as never),
      block("layer0"),
      block("layer1"),
      block("layer2"),
      block("head0"),
    ],
    [
      ["in", "layer0"],
      ["layer0", "layer1"],
      ["layer1", "layer2"],
      ["layer2", "head0"],
      ["in", "layer2"],
    ],
  );
  test("stand as one box; links within are gone, others are joined", () => {
    const folded = foldRepeats(blocks, new Set(), "");
    expect(folded.nodes.map((node) => node.label)).toEqual(["in", "layer0 … × 3", "head0"]);
    const key = folded.nodes[1]!.id;
    expect(isRepeatKey(key)).toBe(true);
    expect(folded.edges.map(({ from, to, count }) => [from, to, count])).toEqual([
      ["in", key, 2],
      [key, "head0", 1],
    ]);
  });
  test("not once they are unfolded, one of them is open, or one is to be shown", () => {
    const key = foldRepeats(blocks, new Set(), "").nodes[1]!.id;
    for (const [open, show] of [
      [key, ""],
      ["layer1", ""],
      ["", "layer2"],
    ] as const)
      expect(foldRepeats(blocks, new Set([open]), show).nodes).toHaveLength(5);
  });
  test("two scopes, or scopes with other operators, are not merged", () => {
    const few = scopeOf([
      block("layer0"),
      block("layer1"),
      block("layer2", { Conv2D: 2 } as never),
    ]);
    expect(foldRepeats(few, new Set(), "")).toBe(few);
  });
});

describe("the parts of a graph", () => {
  const graph = scopeOf(
    [block("Default"), block("Gradients"), block("optimizer")],
    [
      ["Default", "Gradients"],
      ["Gradients", "optimizer"],
    ],
  );
  test("forward, and gradients with updates", () => {
    expect(partOf(graph, "forward").nodes.map(({ id }) => id)).toEqual(["Default"]);
    expect(partOf(graph, "forward").edges).toEqual([]);
    expect(partOf(graph, "backward").nodes.map(({ id }) => id)).toEqual(["Gradients", "optimizer"]);
    expect(hasBackward(graph)).toBe(true);
    expect(hasBackward(scopeOf([block("Default")]))).toBe(false);
  });
});

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

describe("what a pass changed", () => {
  test("the most first, then by name", () => {
    expect(opsText({ MatMul: 1, Cast: -3, Add: 0, Relu: 1 })).toBe("−3 Cast, +1 MatMul, +1 Relu");
    expect(opsText({ a: 1, b: 1, c: 1 }, 2)).toBe("+1 a, +1 b, …");
  });
});

test("what a graph's window shows is read from the address; what says nothing shows the whole", () => {
  expect(readCamera("120_-40_0.5")).toEqual({ x: 120, y: -40, scale: 0.5 });
  for (const text of ["", "120_-40", "120_-40_0", "120_-40_5", "a_b_c"])
    expect(readCamera(text)).toBeNull();
});
