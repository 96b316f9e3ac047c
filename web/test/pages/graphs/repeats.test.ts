import { describe, expect, test } from "vitest";
import type { GraphNode, GraphScope } from "../../../src/core/api";
import { foldRepeats, hasBackward, isRepeatKey, partOf } from "../../../src/pages/graphs/repeats";

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
