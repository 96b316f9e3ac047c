// What is known of the ranks of the runs that the overview tells of, for its verdict.
import type { LeavingRank } from "../../core/api_ranks";
import type { BadSpan } from "../../core/bad_span";
import { formatCount } from "../../core/format";
import { Store } from "../../core/store";
import { t as text } from "../../core/text";

/** When values stopped being finite: since a step, or at one for the first time. */
export function spanText({ first, since }: BadSpan): string {
  return since === null
    ? text("firstAtStep", formatCount(first))
    : text("sinceStep", formatCount(since));
}

/** A rank whose steps take longer than those of the others. */
export interface SlowRank {
  tag: string;
  rank: number;
  /** A fraction of the median; null if that is 0. */
  excess: number | null;
  since: number;
}

export interface Evidence {
  /** Ranks with values that are not finite, and since when, as far as it is known. */
  nan: { ranks: readonly number[]; span: BadSpan | null };
  slow: readonly SlowRank[];
}

const nothing: Evidence = { nan: { ranks: [], span: null }, slow: [] };

/** By run. */
export const evidence = new Store<ReadonlyMap<string, Evidence>>(new Map());

export function noteEvidence(run: string, change: Partial<Evidence>): void {
  const known = evidence.get();
  const now = { ...(known.get(run) ?? nothing), ...change };
  if (JSON.stringify(now) === JSON.stringify(known.get(run) ?? nothing)) return;
  evidence.set(new Map(known).set(run, now));
}

const rate = /throughput|per[-_ /]sec/i;
const duration = /(iteration|iter|step|batch)[-_ /.]?(time|duration|ms|sec)/i;

/** Whether a scalar tells how long a step takes: a rank that is slow keeps all others waiting. */
export const isTimeTag = (tag: string) => rate.test(tag) || duration.test(tag);

/** Those of the ranks that leave the others, and did not come back, that are slow. */
export function slowRanks(tag: string, leaving: readonly LeavingRank[]): SlowRank[] {
  return leaving
    .filter(({ above, until }) => until === undefined && above !== rate.test(tag))
    .map(({ rank, excess, since }) => ({ tag, rank, excess, since }));
}
