import { describe, expect, it } from "vitest";
import type {
  DataOperator,
  Lane,
  OperatorRow,
  Operators,
  RankUse,
  Timeline,
} from "../src/core/api_profile";
import { slotOf } from "../src/core/colors";
import { pipelineOrder } from "../src/pages/profile/data_pipeline";
import { timeAxis } from "../src/pages/profile/draw_timeline";
import { boxesOf, frameAt, treeOf } from "../src/pages/profile/flame";
import {
  hitAt,
  lanesInSight,
  panned,
  placeBefore,
  placeLanes,
  rowAt,
  rowHeight,
  rowsAtMost,
  zoomed,
} from "../src/pages/profile/lanes";
import { sortRows } from "../src/pages/profile/operators";
import { mostOf } from "../src/pages/profile/overview";
import { chosenProfile, firstProfile } from "../src/pages/profile/profile";
import { partsOfRank } from "../src/pages/profile/ranks";
import { longestSteps, namedParts } from "../src/pages/profile/steps";

const lane = (number: number, rows: number, process = "p"): Lane => ({
  lane: number,
  process,
  thread: `t${number}`,
  kind: "thread",
  spans: 1,
  rows,
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
});

describe("the lanes of a timeline", () => {
  it("stand one below the other, a deep one cut", () => {
    const { lanes, height } = placeLanes([lane(3, 2), lane(5, 1000)]);
    expect(lanes[1]!.top).toBeGreaterThanOrEqual(lanes[0]!.top + 2 * rowHeight);
    expect(lanes[1]!.rows).toBe(rowsAtMost);
    expect(height).toBeGreaterThan(lanes[1]!.top + rowsAtMost * rowHeight);
  });
  it("have their process above them where there are several", () => {
    expect(placeLanes([lane(0, 1), lane(1, 1)]).lanes.map((one) => one.heading)).toEqual(["", ""]);
    expect(
      placeLanes([lane(0, 1, "a"), lane(1, 1, "a"), lane(2, 1, "b")]).lanes.map(
        (one) => one.heading,
      ),
    ).toEqual(["a", "", "b"]);
  });
  it("are asked for where they can be seen", () => {
    const layout = placeLanes(Array.from({ length: 200 }, (_, i) => lane(i, 1)));
    const seen = lanesInSight(layout, 2000, 400);
    expect(seen).toContain(100);
    expect(seen).not.toContain(0);
    expect(seen.length).toBeLessThan(40);
  });
  it("are found by a place", () => {
    const layout = placeLanes([lane(7, 3)]);
    expect(rowAt(layout, 0)).toEqual({ lane: 7, row: 0 });
    expect(rowAt(layout, 2 * rowHeight + 1)).toEqual({ lane: 7, row: 2 });
    expect(rowAt(layout, layout.height + 1)).toBeNull();
  });
});

describe("the window of a timeline", () => {
  it("zooms around a time that stays", () => {
    expect(zoomed([0, 1000], 0.5, 250, 1000)).toEqual([125, 625]);
  });
  it("never becomes empty, nor much longer than the profile, nor leaves it", () => {
    const [a, b] = zoomed([500, 512], 0.1, 505, 1000);
    expect(b - a).toBeGreaterThanOrEqual(10);
    const [c, d] = zoomed([0, 1000], 100, 500, 1000);
    expect(d - c).toBeLessThanOrEqual(1100);
    for (let window: readonly [number, number] = [0, 100], i = 0; i < 50; i++) {
      window = panned(window, 1, 1000);
      expect(window[0]).toBeLessThan(1000);
    }
  });
});

describe("the span at a place of a timeline", () => {
  const of = (...values: number[]) => Float64Array.from(values);
  const timeline: Timeline = {
    from: 0,
    to: 1000,
    columns: 100,
    names: [{ name: "a", type: "", kind: "other" }],
    rows: [
      {
        lane: 2,
        row: 0,
        start: of(100, 300),
        duration: of(50, 200),
        name: of(0, 0),
        span: of(4, 9),
        column: of(20),
        count: of(3),
        covered: of(0.5),
      },
    ],
  };
  it("is the span, at its edges too", () => {
    expect(hitAt(timeline, 2, 0, 120, 0)).toMatchObject({ kind: "span", index: 0 });
    expect(hitAt(timeline, 2, 0, 297, 5)).toMatchObject({ kind: "span", index: 1 });
  });
  it("is a column of narrow spans", () => {
    expect(hitAt(timeline, 2, 0, 205, 1)).toMatchObject({
      kind: "narrow",
      index: 0,
      from: 200,
      to: 210,
    });
  });
  it("is nothing beside them", () => {
    expect(hitAt(timeline, 2, 0, 250, 1)).toBeNull();
    expect(hitAt(timeline, 2, 1, 120, 1)).toBeNull();
    expect(hitAt(timeline, 9, 0, 120, 1)).toBeNull();
  });
  it("is searched by halves", () => {
    expect(placeBefore(of(), 5)).toBe(-1);
    expect(placeBefore(of(1, 3, 5), 3)).toBe(1);
    expect(placeBefore(of(1, 3, 5), 0)).toBe(-1);
  });
});

describe("the axis of times", () => {
  it("has one unit", () => {
    expect(timeAxis([0, 4e9], 4).labels).toContain("2 s");
    expect(timeAxis([0, 40e6], 4).labels).toContain("20 ms");
    expect(new Set(timeAxis([1e9, 1e9 + 300], 5).labels).size).toBeGreaterThan(3);
  });
});

it("a type has one colour, whatever number its operator has", () => {
  const slot = (name: string) => slotOf({ name, type: "" });
  expect(slot("MatMul-op12")).toBe(slot("MatMul-op7"));
});

it("no slow step is lost where steps share a column", () => {
  const total = Array.from({ length: 1000 }, (_, i) => (i === 777 ? 50 : 1));
  const shown = longestSteps(total, 100);
  expect(shown).toHaveLength(100);
  expect(shown).toContain(777);
  expect(longestSteps([3, 4], 100)).toEqual([0, 1]);
});

it("the parts of a step without operators are what ran in each step", () => {
  expect(namedParts([row("forward", 10, 50), row("evaluation", 2, 90)], 10)).toMatchObject([
    { name: "forward", time: 5 },
  ]);
});

it("operators are sorted by any column", () => {
  const rows = [row("a", 1, 9), row("b", 5, 10)];
  expect(sortRows(rows, "average", true).map((one) => one.type)).toEqual(["a", "b"]);
  expect(sortRows(rows, "name", true).map((one) => one.type)).toEqual(["b", "a"]);
});

it("where operators run within others, what takes most is without the inner ones", () => {
  const table: Operators = {
    source: "trace",
    inferred: false,
    nested: true,
    total: 0,
    count: 0,
    all: 2,
    matched: 2,
    rows: [row("outer", 1, 100, 5), row("inner", 1, 95)],
  };
  expect(mostOf(table)[0]!.row.type).toBe("inner");
  expect(mostOf({ ...table, nested: false })[0]!.row.type).toBe("outer");
});

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

it("the profile of the first selected run that has one is shown first", () => {
  const list = [
    { profile: "x", format: "", run: null },
    { profile: "b/p", format: "", run: "b" },
  ];
  expect(firstProfile(list, ["a", "b"])?.profile).toBe("b/p");
  expect(firstProfile(list, ["a"])?.profile).toBe("x");
  expect(firstProfile([], ["a"])).toBeUndefined();
});

it("the profile that the address names is shown, and no other in its place", () => {
  const list = [
    { profile: "x", format: "", run: null },
    { profile: "b/p", format: "", run: "b" },
  ];
  expect(chosenProfile(list, "x", ["b"])?.profile).toBe("x");
  expect(chosenProfile(list, "", ["b"])?.profile).toBe("b/p");
  expect(chosenProfile(list, "gone", ["b"])).toBeUndefined();
});

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

describe("ranks", () => {
  it("own work is what neither waits for data nor communicates", () => {
    expect(partsOfRank({ step: 10, data_wait: 2, communication: 3 } as RankUse)).toEqual({
      own: 5,
      data_wait: 2,
      communication: 3,
    });
  });
});
