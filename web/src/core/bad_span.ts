// Since which step a series is not finite.
import { getSeries, type Series, type SeriesRequest } from "./api_series";

export interface BadSpan {
  /** The step of the first value that is not finite. */
  first: number;
  /** The step from which on no value is finite; null if the last one is. */
  since: number | null;
}

/** Values that lie together: a point, or a column. */
interface Part {
  from: number;
  to: number;
  finite: number;
  others: number;
}

function partsOf({ data }: Series): Part[] {
  if (!data) return [];
  if (data.form === "points")
    return Array.from(data.step, (step, i) => {
      const finite = Number(Number.isFinite(data.value[i]));
      return { from: step, to: step, finite, others: 1 - finite };
    });
  return Array.from(data.firstStep, (from, i) => {
    const others = data.nan[i]! + data.positiveInf[i]! + data.negativeInf[i]!;
    return { from, to: data.lastStep[i]!, finite: data.count[i]! - others, others };
  });
}

// Each request narrows the range by the number of columns, so a few reach single points.
const requestsAtMost = 6;

type Load = (from: number | null, to: number | null) => Promise<Series | undefined>;

/** The span of what `load` gives for a range of steps; null if every value is finite. */
export async function badSpanOf(load: Load, depth = requestsAtMost): Promise<BadSpan | null> {
  return spanIn(load, null, null, depth);
}

async function spanIn(
  load: Load,
  from: number | null,
  to: number | null,
  depth: number,
): Promise<BadSpan | null> {
  const series = depth > 0 ? await load(from, to) : undefined;
  const parts = series ? partsOf(series) : [];
  const firstBad = parts.find(({ others }) => others > 0);
  if (!firstBad) return null;
  const lastGood = parts.findLastIndex(({ finite }) => finite > 0);
  const after = parts[lastGood + 1]?.from ?? null;
  const within = (part: Part) =>
    part.finite > 0 && part.others > 0 && part.from < part.to
      ? spanIn(load, part.from, part.to, depth - 1)
      : null;
  const [begin, end] = await Promise.all([
    within(firstBad),
    lastGood >= 0 ? within(parts[lastGood]!) : null,
  ]);
  return { first: begin?.first ?? firstBad.from, since: end?.since ?? after };
}

export function getBadSpan(request: SeriesRequest): Promise<BadSpan | null> {
  return badSpanOf(async (from, to) => {
    const range = { axis: "step", from, to, columns: 200, times: false } as const;
    return (await getSeries([request], range))[0];
  });
}
