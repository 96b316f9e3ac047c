// Which run is the best by an objective, and which cannot be.
import type { LineageValue, Run } from "../../core/api";
import type { Row } from "./axes";

/** Whether less of a value is better. */
export function lessIsBetter(key: string): boolean {
  return /loss|err|mae|mse|perplexity|time/i.test(key);
}

export type Fault = "nan" | "killed";

/**
 * Why a run cannot be the best: it was killed, or the objective's scalar, or the one that the run
 * itself has as objective, ends in a value that is not finite. A small loss before it diverged says
 * nothing for it.
 */
export function faultOf(run: Run | undefined, objective: string): Fault | null {
  if (!run) return null;
  const tag = /^(?:last|min|max)\((.*)\)$/.exec(objective)?.[1] ?? "";
  const lost = [tag, run.objective].some((name) => {
    const value = run.values[name]?.value;
    return value !== undefined && !Number.isFinite(value);
  });
  if (lost) return "nan";
  return run.state === "killed" ? "killed" : null;
}

export interface Best {
  /** The best row; null if each run has a fault. */
  row: Row | null;
  value: number;
  /** The number of runs that were compared, and of those with a fault. */
  compared: number;
  faults: Readonly<Record<Fault, number>>;
}

/** The row with the best objective among the runs without a fault. */
export function bestOf(
  rows: readonly Row[],
  column: number,
  objective: string,
  runOf: (id: string) => Run | undefined,
): Best {
  const sign = lessIsBetter(objective) ? 1 : -1;
  const best: Best = { row: null, value: NaN, compared: 0, faults: { nan: 0, killed: 0 } };
  const faults = { nan: 0, killed: 0 };
  for (const row of rows) {
    const value = row.values[column];
    const fault = faultOf(runOf(row.run), objective);
    if (fault) faults[fault]++;
    if (fault || typeof value !== "number" || !Number.isFinite(value)) continue;
    best.compared++;
    if (best.row && !(sign * value < sign * best.value)) continue;
    best.row = row;
    best.value = value;
  }
  return { ...best, faults };
}

/** The order of values in a table: numbers by size, then NaN, and runs without the value last. */
export function compareValues(a: LineageValue, b: LineageValue, down: boolean): number {
  const rank = (value: LineageValue) => (value === null ? 2 : Number(Number.isNaN(value)));
  if (rank(a) > 0 || rank(b) > 0) return rank(a) - rank(b);
  const order =
    typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
  return down ? -order : order;
}
