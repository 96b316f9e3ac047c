import { describe, expect, it } from "vitest";
import { boxesOf, frameAt, treeOf } from "../../../src/pages/profile/flame";

describe("a flame graph", () => {
  const root = treeOf(
    [
      { stack: "a;b", nanos: 30, count: 3 },
      { stack: "a", nanos: 10, count: 1 },
      { stack: "c", nanos: 60, count: 2 },
    ],
    "all",
  );
  it("a frame has its own time and that of its calls; the widest comes first", () => {
    expect(root).toMatchObject({ total: 100, own: 0 });
    expect(root.children.map(({ name, total, own, count }) => [name, total, own, count])).toEqual([
      ["c", 60, 60, 2],
      ["a", 40, 10, 1],
    ]);
    expect(frameAt(root, ";a;b").total).toBe(30);
    expect(frameAt(root, ";gone")).toBe(root);
  });
  it("boxes lie within what called them; what is too narrow is left out", () => {
    expect(
      boxesOf(root, 0.01).map(({ frame, depth, from, share }) => [frame.name, depth, from, share]),
    ).toEqual([
      ["all", 0, 0, 1],
      ["c", 1, 0, 0.6],
      ["a", 1, 0.6, 0.4],
      ["b", 2, 0.6, 0.3],
    ]);
    expect(boxesOf(root, 0.5).map(({ frame }) => frame.name)).toEqual(["all", "c"]);
  });
});
