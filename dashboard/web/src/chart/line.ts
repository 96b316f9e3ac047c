// Lines of scalars: from what the server answers to what is drawn. No pixel column loses its smallest or largest value.
import type { Series } from "../api";
import type { Axis } from "../view";
import type { Scale } from "./scale";
import { smooth } from "./smooth";

/** One run's values along the x axis: points, or columns with all that the renderer needs of each. */
export interface Line {
  run: string;
  rank: number;
  label: string;
  slot: number;
  /** Of another tag that stands on the same chart (validation): drawn thinner, in dashes and dots. */
  beside?: boolean;
  exact: boolean;
  /** The points that there are in the range, however few of them are held. */
  inRange: number;
  x: Float64Array;
  /** Of exact points all four are the value. */
  lo: Float64Array;
  hi: Float64Array;
  first: Float64Array;
  last: Float64Array;
  count: Float64Array | null;
  steps: Float64Array;
  /** Empty where they were not asked for. */
  times: Float64Array;
  nan: Float64Array | null;
  /** Values that are infinite: positive, negative. */
  up: Float64Array | null;
  down: Float64Array | null;
  smoothed: Float64Array | null;
  /** Of a mean: how far its runs lie around it. */
  band?: { lo: Float64Array; hi: Float64Array };
}

function middle(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((value, i) => (value + b[i]!) / 2);
}

/** `firstTime`: of the run, where the relative axis starts. */
export function toLine(series: Series, axis: Axis, firstTime: number, label: string, slot: number, smoothing: number): Line | null {
  const data = series.data;
  if (!data) return null;
  const common = { run: series.run, rank: series.rank, label, slot, inRange: series.inRange };
  const onAxis = (steps: Float64Array, times: Float64Array) =>
    axis === "step" ? steps : axis === "time" ? times : times.map((time) => time - firstTime);
  if (data.form === "points") {
    const { step, time, value } = data;
    return {
      ...common, exact: true, x: onAxis(step, time), lo: value, hi: value, first: value, last: value, count: null,
      steps: step, times: time, nan: null, up: null, down: null, smoothed: smoothing > 0 ? smooth(value, smoothing) : null,
    };
  }
  const steps = middle(data.firstStep, data.lastStep);
  const times = middle(data.firstTime, data.lastTime);
  return {
    ...common, exact: false, x: onAxis(steps, times), lo: data.min, hi: data.max, first: data.first, last: data.last,
    count: data.count, steps, times, nan: data.nan, up: data.positiveInf, down: data.negativeInf,
    smoothed: smoothing > 0 ? smooth(data.last, smoothing) : null,
  };
}

export interface Extent { xLo: number; xHi: number; lo: number; hi: number; least: number }

/**
 * The finite values that lie far out: more than three times the distance of the quartiles beyond them (Tukey's outer
 * fences). Null where the quartiles are equal, or nothing lies there.
 */
export function outliersOf(lines: readonly Line[], range: readonly [number, number] | null): { lo: number; hi: number; count: number } | null {
  const values: number[] = [];
  for (const { x, lo, hi, exact } of lines) {
    for (let i = 0; i < x.length; i++) {
      if (range && (x[i]! < range[0] || x[i]! > range[1])) continue;
      if (Number.isFinite(lo[i]!)) values.push(lo[i]!);
      if (!exact && Number.isFinite(hi[i]!)) values.push(hi[i]!);
    }
  }
  if (values.length < 8) return null;
  const sorted = Float64Array.from(values).sort();
  const quartile = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!;
  const [a, b] = [quartile(0.25), quartile(0.75)];
  const [lo, hi] = [a - 3 * (b - a), b + 3 * (b - a)];
  const inside = sorted.filter((value) => value >= lo && value <= hi);
  const count = sorted.length - inside.length;
  return a === b || count === 0 ? null : { lo: inside[0]!, hi: inside[inside.length - 1]!, count };
}

/** What the axes must hold; `least` is the smallest positive value. */
export function extentOf(lines: readonly Line[], range: readonly [number, number] | null): Extent {
  const all = { xLo: Infinity, xHi: -Infinity, lo: Infinity, hi: -Infinity, least: Infinity };
  for (const line of lines) {
    const { x } = line;
    const { lo, hi } = line.band ?? line;
    for (let i = 0; i < x.length; i++) {
      const at = x[i]!;
      if (range && (at < range[0] || at > range[1])) continue;
      if (at < all.xLo) all.xLo = at;
      if (at > all.xHi) all.xHi = at;
      const a = lo[i]!;
      const b = hi[i]!;
      if (Number.isFinite(a) && a < all.lo) all.lo = a;
      if (Number.isFinite(b) && b > all.hi) all.hi = b;
      if (a > 0 && a < all.least) all.least = a;
      else if (b > 0 && b < all.least) all.least = b;
    }
  }
  return all;
}

export interface NotFinite { nan: number; infinite: number; marks: { x: number; up: boolean; nan: boolean }[] }

/** Where values are NaN or infinite, and how many. */
export function notFinite(lines: readonly Line[]): NotFinite {
  const found: NotFinite = { nan: 0, infinite: 0, marks: [] };
  for (const line of lines) {
    for (let i = 0; i < line.x.length; i++) {
      let nan = line.nan?.[i] ?? 0;
      let up = line.up?.[i] ?? 0;
      let down = line.down?.[i] ?? 0;
      if (line.exact) {
        const value = line.lo[i]!;
        if (Number.isFinite(value)) continue;
        if (Number.isNaN(value)) nan = 1;
        else if (value > 0) up = 1;
        else down = 1;
      }
      if (nan + up + down === 0) continue;
      found.nan += nan;
      found.infinite += up + down;
      if (nan + up > 0) found.marks.push({ x: line.x[i]!, up: true, nan: nan > 0 });
      if (down > 0) found.marks.push({ x: line.x[i]!, up: false, nan: false });
    }
  }
  return found;
}

/** Index of the value that is nearest on the x axis, or -1. */
export function nearest(x: Float64Array, at: number): number {
  let best = -1;
  let distance = Infinity;
  // Times may go back where a run was taken up again, so that no order is relied on.
  for (let i = 0; i < x.length; i++) {
    const d = Math.abs(x[i]! - at);
    if (d < distance) {
      distance = d;
      best = i;
    }
  }
  return best;
}

/**
 * The path of a line: through every point, or, of columns, from each one's first value over its smallest and largest to
 * its last. It is cut where nothing finite is.
 */
export function traceLine(path: Pick<Path2D, "moveTo" | "lineTo">, line: Line, x: Scale, y: Scale): void {
  let open = false;
  const to = (px: number, value: number) => {
    const py = y.at(value);
    if (!Number.isFinite(py)) return false;
    if (open) path.lineTo(px, py);
    else path.moveTo(px, py);
    open = true;
    return true;
  };
  for (let i = 0; i < line.x.length; i++) {
    const px = x.at(line.x[i]!);
    if (line.exact) {
      if (!to(px, line.lo[i]!)) open = false;
      continue;
    }
    const { lo, hi, first, last } = line;
    if (!Number.isFinite(lo[i]!)) {
      open = false;
      continue;
    }
    to(px, first[i]!);
    // A log axis has no place for a minimum that is not positive: the largest value is still drawn.
    to(px, lo[i]!);
    to(px, hi[i]!);
    to(px, last[i]!);
    if (line.nan![i]! > 0 && !Number.isFinite(last[i]!)) open = false;
  }
}

/** The outline of a mean's band. */
export function traceBand(path: Pick<Path2D, "lineTo" | "closePath">, line: Line, x: Scale, y: Scale): void {
  const to = (i: number, value: number) => {
    const py = y.at(value);
    if (Number.isFinite(py)) path.lineTo(x.at(line.x[i]!), py);
  };
  // A log axis has no place for a lower edge that is not positive: the mean is taken for it.
  const low = (i: number) => (Number.isFinite(y.at(line.band!.lo[i]!)) ? line.band!.lo[i]! : line.lo[i]!);
  for (let i = 0; i < line.x.length; i++) to(i, line.band!.hi[i]!);
  for (let i = line.x.length - 1; i >= 0; i--) to(i, low(i));
  path.closePath();
}

export function traceSmoothed(path: Pick<Path2D, "moveTo" | "lineTo">, line: Line, x: Scale, y: Scale): void {
  let open = false;
  for (let i = 0; i < line.x.length; i++) {
    const py = y.at(line.smoothed![i]!);
    if (!Number.isFinite(py)) {
      open = false;
      continue;
    }
    const px = x.at(line.x[i]!);
    if (open) path.lineTo(px, py);
    else path.moveTo(px, py);
    open = true;
  }
}
