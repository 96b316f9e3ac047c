// The geometry of a timeline: positions of lanes, and the time at a pixel. No drawing.
import type { Lane, Timeline, TimelineRow } from "../../core/api_profile";

export const rowHeight = 16;
/** Rows of a lane that are shown. Deeper spans are found by the search. */
export const rowsAtMost = 12;
export const axisHeight = 24;
const laneGap = 6;
const headingHeight = 20;

export interface Placed {
  lane: Lane;
  /** All lanes that share its rows, itself first: short threads of one name, one after another. */
  members: readonly Lane[];
  top: number;
  rows: number;
  /** The name of the process, above its first lane. */
  heading: string;
}
export interface Layout {
  lanes: Placed[];
  height: number;
}
export type Window = readonly [number, number];

/**
 * Threads of the same name that do not overlap in time share rows. The others are alone. In the
 * order of the first lane of each group.
 */
export function sharedLanes(lanes: readonly Lane[]): Lane[][] {
  const groups: Lane[][] = [];
  const named = new Map<string, Lane[][]>();
  const place = new Map(lanes.map((lane, i) => [lane, i]));
  for (const lane of [...lanes].sort((a, b) => a.from - b.from)) {
    const key = JSON.stringify([lane.process, lane.thread]);
    const sharing = lane.kind === "thread" && lane.thread !== "" ? (named.get(key) ?? []) : [];
    const free = sharing.find((group) => group[group.length - 1]!.to <= lane.from);
    if (free) free.push(lane);
    else {
      const group = [lane];
      groups.push(group);
      sharing.push(group);
    }
    named.set(key, sharing);
  }
  const first = (group: readonly Lane[]) => Math.min(...group.map((lane) => place.get(lane)!));
  return groups
    .map((group) => ({ group, at: first(group) }))
    .sort((a, b) => a.at - b.at)
    .map(({ group }) => group);
}

/** Lanes one below the other, from 0 on. */
export function placeLanes(lanes: readonly Lane[]): Layout {
  let top = 0;
  let process: string | null = null;
  const several = new Set(lanes.map((lane) => lane.process)).size > 1;
  const placed = sharedLanes(lanes).map((members): Placed => {
    const lane = members[0]!;
    const heading = several && lane.process !== process ? lane.process : "";
    process = lane.process;
    if (heading) top += headingHeight;
    const most = members.reduce((rows, member) => Math.max(rows, member.rows), 1);
    const rows = Math.min(rowsAtMost, most);
    const at = { lane, members, top, rows, heading };
    top += rows * rowHeight + laneGap;
    return at;
  });
  return { lanes: placed, height: top };
}

/** The numbers of the lanes in view that have spans in these times. */
export function lanesInSight(
  layout: Layout,
  scroll: number,
  height: number,
  [from, to]: Window,
): number[] {
  return layout.lanes
    .filter(({ top, rows }) => top + rows * rowHeight > scroll - 100 && top < scroll + height + 100)
    .flatMap(({ members }) => members)
    .filter((lane) => lane.from <= to && lane.to >= from)
    .map(({ lane }) => lane);
}

/** The place of each lane by its number. */
export function placesOf(layout: Layout): ReadonlyMap<number, Placed> {
  return new Map(
    layout.lanes.flatMap((placed) => placed.members.map(({ lane }) => [lane, placed] as const)),
  );
}

/**
 * Zooms by `factor` around a time that stays where it is. It never shows less than 10 ns, nor much
 * more than there is.
 */
export function zoomed(
  [from, to]: Window,
  factor: number,
  around: number,
  duration: number,
): Window {
  const length = Math.min(Math.max((to - from) * factor, 10), Math.max(10, duration * 1.1));
  const share = (around - from) / (to - from);
  return kept([around - share * length, around + (1 - share) * length], duration);
}

/** Moves by a share of the window. */
export function panned([from, to]: Window, share: number, duration: number): Window {
  const by = (to - from) * share;
  return kept([from + by, to + by], duration);
}

/** Rounds to nanoseconds and keeps part of the profile in view. */
function kept([from, to]: Window, duration: number): Window {
  const length = to - from;
  const first = Math.min(Math.max(from, -length / 2), duration - length / 2);
  return [Math.round(first), Math.round(first + length)];
}

/** The thing at a place: a span, or a column of narrow spans. */
export type Hit =
  | { kind: "span"; row: TimelineRow; index: number }
  | { kind: "narrow"; row: TimelineRow; index: number; from: number; to: number };

/** The last index whose start is not after `time`; -1 if there is none. */
export function placeBefore(starts: Float64Array, time: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** `slack`: the time of one pixel. */
export function hitAt(
  timeline: Timeline,
  lane: number,
  rowNumber: number,
  time: number,
  slack: number,
): Hit | null {
  const row = timeline.rows.find((one) => one.lane === lane && one.row === rowNumber);
  if (!row) return null;
  const index = placeBefore(row.start, time + slack);
  if (index >= 0 && row.start[index]! + row.duration[index]! >= time - slack)
    return { kind: "span", row, index };
  const width = (timeline.to - timeline.from) / timeline.columns;
  const column = Math.floor((time - timeline.from) / width);
  const at = placeBefore(row.column, column);
  if (at < 0 || row.column[at] !== column) return null;
  const from = timeline.from + column * width;
  return { kind: "narrow", row, index: at, from, to: from + width };
}

/** The lanes and the row at a height. */
export function rowAt(layout: Layout, y: number): { lanes: readonly Lane[]; row: number } | null {
  for (const { members, top, rows } of layout.lanes) {
    if (y >= top && y < top + rows * rowHeight)
      return { lanes: members, row: Math.floor((y - top) / rowHeight) };
  }
  return null;
}

/** The height of all lanes, limited to what fits the page. */
export function heightOf(layout: Layout): number {
  return Math.min(560, Math.max(100, layout.height + axisHeight + 4));
}
