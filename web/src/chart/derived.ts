// Lines computed from other lines: the mean of a group of runs, and one tag over another.
import type { Line } from "./line";
import { smooth } from "./smooth";

/**
 * One line for each group: the mean of its lines' finite values at each step, in a band of one
 * standard deviation (of the sample; no band if only one run has the step). Groups are sorted by
 * name.
 */
export function groupLines(
  lines: readonly Line[],
  nameOf: (run: string) => string,
  smoothing: number,
): Line[] {
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    // Lines of a second tag are a group of their own.
    const name = line.beside
      ? `${nameOf(line.run)} · ${line.label.slice(line.label.lastIndexOf(" · ") + 3)}`
      : nameOf(line.run);
    groups.set(name, [...(groups.get(name) ?? []), line]);
  }
  return [...groups]
    .sort(([a], [b]) => a.localeCompare(b, undefined, { numeric: true }))
    .map(([name, members], slot) => meanOf(name, members, slot, smoothing));
}

function meanOf(name: string, members: readonly Line[], slot: number, smoothing: number): Line {
  // Welford's: the sums of squares of large values would cancel.
  const steps = new Map<number, { count: number; mean: number; squares: number; x: number }>();
  for (const line of members) {
    for (let i = 0; i < line.x.length; i++) {
      const value = line.last[i]!;
      if (!Number.isFinite(value)) continue;
      const at = steps.get(line.steps[i]!) ?? { count: 0, mean: 0, squares: 0, x: 0 };
      at.count++;
      const from = value - at.mean;
      at.mean += from / at.count;
      at.squares += from * (value - at.mean);
      at.x += (line.x[i]! - at.x) / at.count;
      steps.set(line.steps[i]!, at);
    }
  }
  const order = [...steps].sort(([a], [b]) => a - b);
  const array = (of: (entry: (typeof order)[number]) => number) => Float64Array.from(order, of);
  const mean = array(([, at]) => at.mean);
  const spread = array(([, { count, squares }]) =>
    count > 1 ? Math.sqrt(squares / (count - 1)) : 0,
  );
  return {
    run: name,
    rank: 0,
    label: `${name} (${members.length})`,
    slot,
    ...(members[0]!.beside ? { beside: true } : {}),
    exact: true,
    inRange: mean.length,
    x: array(([, at]) => at.x),
    lo: mean,
    hi: mean,
    first: mean,
    last: mean,
    count: null,
    steps: array(([step]) => step),
    times: new Float64Array(0),
    nan: null,
    up: null,
    down: null,
    smoothed: smoothing > 0 ? smooth(mean, smoothing) : null,
    band: {
      lo: mean.map((value, i) => value - spread[i]!),
      hi: mean.map((value, i) => value + spread[i]!),
    },
  };
}

/**
 * Each line over the values of its run's line in `others` at the same steps. Lines without a
 * partner are omitted.
 */
export function linesAgainst(lines: readonly Line[], others: readonly Line[]): Line[] {
  const of = new Map(others.map((line) => [`${line.run}\n${line.rank}`, line]));
  return lines.flatMap((line) => {
    const other = of.get(`${line.run}\n${line.rank}`);
    if (!other) return [];
    const at = new Map(Array.from(other.steps, (step, i) => [step, other.last[i]!]));
    const both = Array.from({ length: line.x.length }, (_, i) => i).filter((i) =>
      Number.isFinite(at.get(line.steps[i]!)),
    );
    if (both.length === 0) return [];
    const pick = (array: Float64Array) => Float64Array.from(both, (i) => array[i]!);
    const value = pick(line.last);
    return [
      {
        ...line,
        exact: true,
        x: Float64Array.from(both, (i) => at.get(line.steps[i]!)!),
        lo: value,
        hi: value,
        first: value,
        last: value,
        count: null,
        steps: pick(line.steps),
        times: new Float64Array(0),
        nan: null,
        up: null,
        down: null,
        smoothed: line.smoothed && pick(line.smoothed),
      },
    ];
  });
}

export interface Statistics {
  count: number;
  least: number;
  leastAt: number;
  most: number;
  mostAt: number;
  mean: number;
  deviation: number;
  last: number;
}

/**
 * Statistics of a line's finite values. Mean and (sample) standard deviation are NaN if the line
 * has columns.
 */
export function statisticsOf(line: Line): Statistics {
  const all = {
    count: 0,
    least: Infinity,
    leastAt: NaN,
    most: -Infinity,
    mostAt: NaN,
    mean: 0,
    deviation: 0,
    last: line.last[line.last.length - 1] ?? NaN,
  };
  let squares = 0;
  for (let i = 0; i < line.x.length; i++) {
    const [lo, hi] = [line.lo[i]!, line.hi[i]!];
    if (lo < all.least && lo > -Infinity) [all.least, all.leastAt] = [lo, line.steps[i]!];
    if (hi > all.most && hi < Infinity) [all.most, all.mostAt] = [hi, line.steps[i]!];
    if (!Number.isFinite(lo)) continue;
    all.count += line.count ? line.count[i]! - line.nan![i]! - line.up![i]! - line.down![i]! : 1;
    const from = lo - all.mean;
    all.mean += from / all.count;
    squares += from * (lo - all.mean);
  }
  if (!line.exact || all.count === 0) return { ...all, mean: NaN, deviation: NaN };
  return { ...all, deviation: all.count > 1 ? Math.sqrt(squares / (all.count - 1)) : 0 };
}
