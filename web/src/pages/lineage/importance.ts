// Ranks parameters by their effect on the objective: correlation, and permutation in a small forest
// (forest.ts).
import type { LineageValue } from "../../core/api";
import { isOutcome } from "../../core/lineage";
import { nextTurn } from "../../core/turns";
import { type Feature, plantTree, randomOf, shuffled } from "./forest";

/** With fewer runs, chance makes one of ten parameters style important. */
export const runsAtLeast = 20;
const runsAtMost = 2000;
const trees = 60;

export interface Importance {
  key: string;
  /** Spearman's correlation, -1 to 1; null if the values are not numbers. */
  correlation: number | null;
  /**
   * The share of the objective's explained variance that is lost when the values are shuffled; 0:
   * no effect.
   */
  permutation: number;
}
/** `runs`: the number of runs used. `parameters` is null if there are too few. */
export interface Importances {
  runs: number;
  parameters: Importance[] | null;
}

/** Ranks from 0 for the smallest to 1. Equal values share their mean rank; NaN stays NaN. */
export function ranksOf(values: ArrayLike<number>): Float64Array {
  const order = Array.from({ length: values.length }, (_, i) => i)
    .filter((i) => !Number.isNaN(values[i]!))
    .sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(values.length).fill(NaN);
  for (let i = 0; i < order.length; ) {
    let end = i + 1;
    while (end < order.length && values[order[end]!] === values[order[i]!]) end++;
    for (let k = i; k < end; k++)
      ranks[order[k]!] = (i + end - 1) / 2 / Math.max(1, order.length - 1);
    i = end;
  }
  return ranks;
}

/** Pearson's correlation over the pairs of numbers; 0 if one side is constant. */
function correlationOf(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const both = Array.from({ length: a.length }, (_, i) => i).filter(
    (i) => !Number.isNaN(a[i]!) && !Number.isNaN(b[i]!),
  );
  const mean = (list: ArrayLike<number>) =>
    both.reduce((sum, i) => sum + list[i]!, 0) / both.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (const i of both) {
    ab += (a[i]! - ma) * (b[i]! - mb);
    aa += (a[i]! - ma) ** 2;
    bb += (b[i]! - mb) ** 2;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}

const numberOf = (value: LineageValue | undefined) =>
  typeof value === "number" && Number.isFinite(value) ? value : NaN;

/**
 * A column as a feature of the forest: numbers, or else categories. The median replaces a missing
 * number.
 */
function featureOf(values: readonly LineageValue[], ordered: boolean): Feature {
  if (!ordered) {
    const names = new Map<string, number>();
    return {
      ordered,
      values: Float64Array.from(values, (value) => {
        const name = JSON.stringify(value ?? null);
        if (!names.has(name)) names.set(name, names.size);
        return names.get(name)!;
      }),
    };
  }
  const numbers = Float64Array.from(values, numberOf);
  const known = numbers.filter((value) => !Number.isNaN(value)).sort();
  const median = known[known.length >> 1] ?? 0;
  return { ordered, values: numbers.map((value) => (Number.isNaN(value) ? median : value)) };
}

/**
 * Ranks every setting that differs between runs, the most important first. The objective counts by
 * its rank, so that a single diverged run does not dominate. The same table always gives the same
 * result.
 */
export async function importanceOf(
  columns: readonly { key: string; numeric: boolean }[],
  rows: readonly { values: readonly LineageValue[] }[],
  objective: number,
): Promise<Importances> {
  const random = randomOf(1);
  const all = rows.filter((row) => !Number.isNaN(numberOf(row.values[objective])));
  if (all.length < runsAtLeast) return { runs: all.length, parameters: null };
  const used = all.length > runsAtMost ? shuffled(all, random).slice(0, runsAtMost) : all;
  const target = ranksOf(used.map((row) => numberOf(row.values[objective])));
  const told = columns
    .map((column, i) => ({ ...column, i, values: used.map((row) => row.values[i] ?? null) }))
    .filter(
      ({ key, i, values }) =>
        i !== objective &&
        !isOutcome(key) &&
        new Set(values.map((value) => JSON.stringify(value))).size > 1,
    );
  const features = told.map(({ numeric, values }) => featureOf(values, numeric));
  const worse = new Float64Array(features.length);
  for (let tree = 0; tree < trees && features.length > 0; tree++) {
    plantTree(features, target, random, worse);
    await nextTurn();
  }
  const mean = target.reduce((sum, value) => sum + value, 0) / target.length;
  const variance = target.reduce((sum, value) => sum + (value - mean) ** 2, 0) / target.length;
  const parameters = told.map(
    ({ key, numeric, values }, i): Importance => ({
      key,
      correlation: numeric ? correlationOf(ranksOf(values.map(numberOf)), target) : null,
      permutation: variance > 0 ? Math.max(0, worse[i]! / trees / variance) : 0,
    }),
  );
  return {
    runs: used.length,
    parameters: parameters.sort((a, b) => b.permutation - a.permutation),
  };
}
