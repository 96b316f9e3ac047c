// The ranks of a run as one line: their median, in the band of their exact extremes.
import { fewRanks, type RankBand, type RanksOf } from "../core/api_ranks";
import type { SeriesRequest } from "../core/api_series";
import { slotCount } from "../core/colors";
import { runOf } from "../core/model";
import type { Line } from "./line";
import { smooth } from "./smooth";

/**
 * Divides the requests into those of runs with few ranks, and the tags of each run that has many.
 */
export function splitByRanks(
  requests: readonly SeriesRequest[],
  ranksOf = (run: string): readonly number[] | undefined => runOf(run)?.ranks,
): { few: readonly SeriesRequest[]; many: ReadonlyMap<string, readonly string[]> } {
  const asked = new Map<string, { ranks: Set<number>; tags: Set<string> }>();
  for (const { run, tag, rank } of requests) {
    const of = asked.get(run) ?? { ranks: new Set(), tags: new Set() };
    of.ranks.add(rank);
    of.tags.add(tag);
    asked.set(run, of);
  }
  const many = new Map<string, readonly string[]>();
  for (const [run, { ranks, tags }] of asked) {
    // A request may name ranks that only another of the runs has.
    const there = ranksOf(run)?.filter((rank) => ranks.has(rank)).length ?? ranks.size;
    if (there > fewRanks) many.set(run, [...tags]);
  }
  return { few: many.size > 0 ? requests.filter(({ run }) => !many.has(run)) : requests, many };
}

/** The median of a run's ranks as a line with a band. */
export function bandLine(
  of: RanksOf<RankBand>,
  label: string,
  slot: number,
  smoothing: number,
): Line {
  const { exact, firstStep, lastStep, low, high, first, last, least, most, nan, up, down } =
    of.shown;
  const steps = exact ? firstStep : firstStep.map((step, i) => (step + lastStep[i]!) / 2);
  return {
    run: of.run,
    rank: -1,
    ...(of.onlyValid === undefined ? { ranks: of.ranks } : {}),
    label,
    slot,
    exact,
    inRange: steps.length,
    x: steps,
    lo: least,
    hi: most,
    first,
    last,
    count: null,
    steps,
    times: new Float64Array(0),
    nan,
    up,
    down,
    smoothed: smoothing > 0 && exact ? smooth(last, smoothing) : null,
    band: { lo: low, hi: high },
  };
}

/**
 * The slot of a curve of a main tag, or of a rank's own line of it. Of one run alone, each curve has
 * its own hue and each rank its own dashes; of several runs, curves and ranks have other dashes.
 */
export function slotOfCurve(
  runSlot: number,
  curve: number,
  rankPlace: number,
  onlyRun: boolean,
): number {
  const [hues, dashes] = onlyRun ? [curve, rankPlace] : [0, curve + rankPlace];
  return (runSlot + hues + 10 * dashes) % slotCount;
}

/** The slot of a rank's own line beside its run's band, or among the ranks of the only run. */
export function slotOfRank(runSlot: number, place: number, onlyRun: boolean): number {
  // Of several runs, a rank keeps the hue of its run and has other dashes.
  return onlyRun
    ? (runSlot + 1 + place) % slotCount
    : (runSlot + 10 * (1 + (place % 2))) % slotCount;
}
