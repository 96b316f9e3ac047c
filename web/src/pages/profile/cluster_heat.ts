// Ranks and steps of a cluster as a heat map: which rank needs more or less than the others.
import type { ClusterData } from "../../core/api_profile";
import type { RankHeat } from "../../core/api_ranks";

/** What a step is made of, by the names that the server gives. */
export const clusterParts = [
  "computing_us",
  "communication_us",
  "idle_us",
  "preparing_us",
  "step_us",
] as const;
export type ClusterPart = (typeof clusterParts)[number];

function medianOf(values: readonly number[]): number {
  if (values.length === 0) return Number.NaN;
  const ordered = [...values].sort((a, b) => a - b);
  const middle = ordered.length >> 1;
  return ordered.length % 2 === 1
    ? ordered[middle]!
    : (ordered[middle - 1]! + ordered[middle]!) / 2;
}

/**
 * The heat map of a part, with at most `mostRows` rows. If there are more ranks, a row holds several
 * and shows of each step the one that is farthest from the median of all, so that none is hidden.
 * Undefined if no rank has steps or one of them has no number.
 */
export function heatOfCluster(
  cluster: ClusterData,
  part: ClusterPart,
  mostRows: number,
): RankHeat | undefined {
  const { steps } = cluster;
  const numbers = cluster.ranks.map(({ rank }) => rank);
  if (steps.length === 0 || numbers.some((rank) => rank === null)) return undefined;
  const cells = cluster.cells[part];
  const medians = steps.map((_, step) =>
    medianOf(cells.flatMap((row) => (row[step] === null ? [] : [row[step]!]))),
  );
  const each = Math.ceil(cells.length / Math.max(1, mostRows));
  const rows: [number, number][] = [];
  const value: number[] = [];
  const recorded: number[] = [];
  for (let first = 0; first < cells.length; first += each) {
    const group = cells.slice(first, first + each);
    rows.push([numbers[first]!, numbers[first + group.length - 1]!]);
    for (const [step, median] of medians.entries()) {
      let farthest: number | null = null;
      for (const row of group) {
        const one = row[step] ?? null;
        if (one === null) continue;
        if (farthest === null || Math.abs(one - median) > Math.abs(farthest - median))
          farthest = one;
      }
      value.push(farthest ?? 0);
      recorded.push(farthest === null ? 0 : 1);
    }
  }
  return {
    columns: steps.length,
    from: steps[0]!,
    to: steps.at(-1)!,
    steps,
    rows,
    value: Float64Array.from(value),
    median: Float64Array.from(rows.flatMap(() => medians)),
    recorded: Float64Array.from(recorded),
  };
}
