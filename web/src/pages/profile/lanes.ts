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

/** Lanes one below the other, from 0 on. */
export function placeLanes(lanes: readonly Lane[]): Layout {
  let top = 0;
  let process: string | null = null;
  const several = new Set(lanes.map((lane) => lane.process)).size > 1;
  const placed = lanes.map((lane): Placed => {
    const heading = several && lane.process !== process ? lane.process : "";
    process = lane.process;
    if (heading) top += headingHeight;
    const rows = Math.min(rowsAtMost, Math.max(1, lane.rows));
    const at = { lane, top, rows, heading };
    top += rows * rowHeight + laneGap;
    return at;
  });
  return { lanes: placed, height: top };
}

/** The numbers of the lanes in view. */
export function lanesInSight(layout: Layout, scroll: number, height: number): number[] {
  return layout.lanes
    .filter(({ top, rows }) => top + rows * rowHeight > scroll - 100 && top < scroll + height + 100)
    .map(({ lane }) => lane.lane);
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

/** The lane and row at a height. */
export function rowAt(layout: Layout, y: number): { lane: number; row: number } | null {
  for (const { lane, top, rows } of layout.lanes) {
    if (y >= top && y < top + rows * rowHeight)
      return { lane: lane.lane, row: Math.floor((y - top) / rowHeight) };
  }
  return null;
}

/** The height of all lanes, limited to what fits the page. */
export function heightOf(layout: Layout): number {
  return Math.min(560, Math.max(100, layout.height + axisHeight + 4));
}
