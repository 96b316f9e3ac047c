import { describe, expect, test } from "vitest";
import { assignSlots } from "../../src/core/colors";
import { merged, withEntry } from "../../src/core/kept";

describe("what people add", () => {
  test("is merged; what is empty is taken out, and a run without any with it", () => {
    expect(merged({ name: "x", tags: ["a"] }, { note: "n", tags: [] })).toEqual({
      name: "x",
      note: "n",
    });
    expect(merged({ hidden: true, color: 0 }, { hidden: false })).toEqual({ color: 0 });
    expect(withEntry({ a: { name: "x" }, b: {} }, "a", {})).toEqual({ b: {} });
  });
  test("a chosen colour is the run's; who held it gives it up", () => {
    const held = assignSlots(new Map(), ["a", "b"]);
    expect([...assignSlots(held, ["a", "b"], (id) => (id === "b" ? 0 : undefined))]).toEqual([
      ["b", 0],
      ["a", 1],
    ]);
  });
});
