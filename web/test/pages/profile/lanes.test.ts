import { describe, expect, it } from "vitest";
import type { Lane, Timeline, TimelineRow } from "../../../src/core/api_profile";
import {
  hitAt,
  lanesInSight,
  panned,
  placeBefore,
  placeLanes,
  placesOf,
  rowAt,
  rowHeight,
  rowsAtMost,
  sharedLanes,
  zoomed,
} from "../../../src/pages/profile/lanes";
import { joined } from "../../../src/pages/profile/timeline";

const lane = (number: number, rows: number, process = "p"): Lane => ({
  lane: number,
  process,
  thread: `t${number}`,
  kind: "thread",
  spans: 1,
  rows,
  from: 0,
  to: 100,
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
    const seen = lanesInSight(layout, 2000, 400, [0, 100]);
    expect(seen).toContain(100);
    expect(seen).not.toContain(0);
    expect(seen.length).toBeLessThan(40);
  });
  it("share rows if they are short threads of one name", () => {
    const short = (number: number, from: number, to: number, thread = "trainer"): Lane => ({
      ...lane(number, number === 2 ? 3 : 1),
      thread,
      from,
      to,
    });
    const lanes = [
      short(0, 0, 100, "main"),
      short(1, 50, 60),
      short(2, 20, 40),
      short(3, 30, 45),
      short(4, 45, 50),
      { ...short(5, 70, 80), kind: "stream" },
      { ...short(6, 70, 80), process: "q" },
    ];
    const numbers = sharedLanes(lanes).map((group) => group.map(({ lane: number }) => number));
    expect(numbers).toEqual([[0], [2, 4, 1], [3], [5], [6]]);
    const layout = placeLanes(lanes);
    expect(layout.lanes[1]).toMatchObject({ lane: { lane: 2 }, rows: 3 });
    expect(placesOf(layout).get(1)).toBe(layout.lanes[1]);
    expect(lanesInSight(layout, 0, 400, [61, 69])).toEqual([0]);
  });
  it("come in parts with names of their own", () => {
    const name = (text: string) => ({ name: text, type: "", kind: "" });
    const part = (number: number, names: string[], of: number[]): Timeline => ({
      from: 0,
      to: 1,
      columns: 1,
      names: names.map(name),
      rows: [{ lane: number, name: Float64Array.from(of) } as unknown as TimelineRow],
    });
    const whole = joined([part(0, ["a", "b"], [1]), part(1, ["c"], [0, 0])]);
    expect(whole.names.map((one) => one.name)).toEqual(["a", "b", "c"]);
    expect(whole.rows.map((one) => [one.lane, [...one.name]])).toEqual([
      [0, [1]],
      [1, [2, 2]],
    ]);
  });
  it("are found by a place", () => {
    const layout = placeLanes([lane(7, 3)]);
    expect(rowAt(layout, 0)).toEqual({ lanes: [lane(7, 3)], row: 0 });
    expect(rowAt(layout, 2 * rowHeight + 1)).toEqual({ lanes: [lane(7, 3)], row: 2 });
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
