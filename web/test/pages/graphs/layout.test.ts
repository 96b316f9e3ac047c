import { describe, expect, test } from "vitest";
import { layersOf, layOutScope } from "../../../src/pages/graphs/layout";
import { ancestorsOf, sceneOf } from "../../../src/pages/graphs/scene";

describe("graphs", () => {
  test("a node is below its dependencies, a cycle is cut", () => {
    const layers = layersOf(
      ["a", "b", "c"],
      [
        { from: "a", to: "b" },
        { from: "b", to: "c" },
        { from: "a", to: "c" },
        { from: "c", to: "a" },
      ],
    );
    expect([...layers]).toEqual([
      ["a", 0],
      ["b", 1],
      ["c", 2],
    ]);
  });
  test("boxes do not overlap, even if a layer has many", () => {
    const boxes = Array.from({ length: 40 }, (_, i) => ({
      id: `n${i}`,
      width: 50 + i,
      height: 20,
    }));
    const laid = layOutScope(
      boxes,
      boxes.slice(1).map((box) => ({ from: "n0", to: box.id })),
    );
    for (const a of boxes) {
      for (const b of boxes) {
        if (a.id >= b.id) continue;
        const apart =
          Math.abs(laid.y.get(a.id)! - laid.y.get(b.id)!) >= 20 ||
          laid.x.get(a.id)! + a.width <= laid.x.get(b.id)! ||
          laid.x.get(b.id)! + b.width <= laid.x.get(a.id)!;
        expect(apart, `${a.id} ${b.id}`).toBe(true);
      }
    }
  });
  test("a chain of 20,000 nodes is laid out without deep recursion", () => {
    const ids = Array.from({ length: 20000 }, (_, i) => String(i));
    expect(
      layersOf(
        ids,
        ids.slice(1).map((id, i) => ({ from: String(i), to: id })),
      ).get("19999"),
    ).toBe(19999);
  });
  test("an open scope holds its nodes", () => {
    const scope = (name: string, nodes: object[]) =>
      ({
        graph: "g",
        kind: "computational",
        scope: name,
        nodes_in_graph: 3,
        more: 0,
        nodes,
        edges: [],
        outside: [],
      }) as never;
    const root = scope("", [{ id: "A", label: "A", kind: "scope", nodes: 1 }]);
    const scene = sceneOf(
      root,
      new Map([["A", scope("A", [{ id: "A/b", label: "b", kind: "op", type: "ReLU" }])]]),
      new Set(["A"]),
    );
    const [outer, inner] = scene.nodes;
    expect(outer!.open).toBe(true);
    expect(inner!.x).toBeGreaterThan(outer!.x);
    expect(inner!.y + inner!.height).toBeLessThan(outer!.y + outer!.height);
    expect(ancestorsOf("A/b/c")).toEqual(["A", "A/b", "A/b/c"]);
  });
});
