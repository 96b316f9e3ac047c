import { describe, expect, it } from "vitest";
import type { Run } from "../../../src/core/api";
import { facetsOf, itemsOf, termOf, withTerm } from "../../../src/pages/runs/facets";

function run(id: string, change: Partial<Run> = {}): Run {
  return {
    id,
    name: id,
    state: "finished",
    recovered: false,
    live: false,
    first_time: 0,
    last_time: 1,
    first_step: 0,
    last_step: 1,
    series: {},
    points: 1,
    ranks: [0],
    parts: 0,
    damage: 0,
    unchecked: 0,
    nan: 0,
    objective: "",
    values: {},
    lineage: {},
    ...change,
  };
}

const with_ = (id: string, lineage: Run["lineage"]) => run(id, { lineage });

describe("facets", () => {
  it("are keys with a few values, counted", () => {
    const list = [
      with_("a", { net: "x", lr: 0.1, seed: 1 }),
      with_("b", { net: "x", lr: 0.2, seed: 2 }),
      with_("c", { net: "y", lr: 0.2, seed: 3 }),
    ];
    expect(facetsOf(list)).toEqual([
      {
        key: "lr",
        values: [
          { value: 0.1, count: 1 },
          { value: 0.2, count: 2 },
        ],
      },
      {
        key: "net",
        values: [
          { value: "x", count: 2 },
          { value: "y", count: 1 },
        ],
      },
    ]);
  });
  it("keep the values in the query, so that they can be removed from it", () => {
    const list = [with_("a", { net: "x" }), with_("b", { net: "x" })];
    expect(facetsOf(list)).toEqual([]);
    expect(facetsOf(list, ["net == 'x'"])).toEqual([
      { key: "net", values: [{ value: "x", count: 2 }] },
    ]);
  });
  it("write terms of the query language", () => {
    expect(termOf("lr", 0.1)).toBe("lr == 0.1");
    expect(termOf("note of it", "it's")).toBe("`note of it` == 'it\\'s'");
    expect(termOf("name", "x")).toBe("lineage.name == 'x'");
    expect(termOf("bn", true)).toBe("bn == true");
  });
  it("come to a query and go from it", () => {
    expect(withTerm("", "a == 1")).toBe("a == 1");
    expect(withTerm("b == 2", "a == 1")).toBe("b == 2 and a == 1");
    expect(withTerm("b == 2 and a == 1", "a == 1")).toBe("b == 2");
    expect(withTerm("b == 2 or c == 3", "a == 1")).toBe("(b == 2 or c == 3) and a == 1");
  });
  it("are added to words as to the query that the words stand for", () => {
    expect(withTerm("b16", "lr == 1")).toBe("(name =~ '(?i)b16' or b16) and lr == 1");
  });
  it("group the rows: each group under its value, in the order of the list", () => {
    const items = itemsOf(
      [with_("a", { net: "x" }), with_("b", { net: "y" }), with_("c", { net: "x" }), run("d")],
      "net",
    );
    expect(
      items.map((item) => ("run" in item ? item.run.id : `${item.value} ${item.members.length}`)),
    ).toEqual(["x 2", "a", "c", "y 1", "b", "– 1", "d"]);
    expect(itemsOf([run("a")], "")).toHaveLength(1);
  });
});
