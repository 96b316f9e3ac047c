// The series of a tag among the selected runs.
import type { Kind, TagOfRuns } from "./api";
import type { SeriesRequest } from "./api_series";

const worked = new WeakMap<
  TagOfRuns,
  { selected: readonly string[]; requests: readonly SeriesRequest[] }
>();

/** The requests for all series of a tag. Returns the same list for the same arguments. */
export function requestsOf(tag: TagOfRuns, selected: readonly string[]): readonly SeriesRequest[] {
  const known = worked.get(tag);
  if (known?.selected === selected) return known.requests;
  const has = new Set(tag.runs);
  const requests = selected
    .filter((run) => has.has(run))
    .flatMap((run) => tag.ranks.map((rank) => ({ run, tag: tag.tag, rank })));
  worked.set(tag, { selected, requests });
  return requests;
}

export interface OneSeries {
  kind: Kind;
  tag: string;
  run: string;
  rank: number;
  several: boolean;
}

/** The series of a tag, one for each card. */
export function seriesOf(tag: TagOfRuns, selected: readonly string[]): OneSeries[] {
  const has = new Set(tag.runs);
  const several = tag.ranks.length > 1;
  return selected
    .filter((run) => has.has(run))
    .flatMap((run) =>
      tag.ranks.map((rank) => ({ kind: tag.kind, tag: tag.tag, run, rank, several })),
    );
}
