// The histograms of one series: some of its steps, and any recorded one.
import { useMemo } from "preact/hooks";
import {
  getHistogram,
  getHistograms,
  getPlaces,
  type Histogram,
  type Places,
} from "../../core/api";
import { csv, exactValue, formatCount } from "../../core/format";
import { revision } from "../../core/model";
import type { OneSeries } from "../../core/series";
import { useSetting } from "../../core/setting";
import { useLoaded, useStore } from "../../core/store";
import { t } from "../../core/text";
import { placeOf, spotOf } from "../../widgets/stepper";

const stepsAtMost = 200;

export function histogramCsv(values: readonly Histogram[]): string {
  return csv([
    ["step", "time", "from", "to", "count"],
    ...values.flatMap((value) =>
      value.counts.map((count, k) => [
        value.step,
        value.time,
        Number(exactValue(value.edges[k]!)),
        value.edges[k + 1]!,
        count,
      ]),
    ),
  ]);
}

/** The values with one added, sorted by step. */
export function withStep(
  values: readonly Histogram[],
  one: Histogram | null,
): readonly Histogram[] {
  if (!one || !isFilled(one) || values.some((value) => value.at === one.at)) return values;
  const after = values.findIndex((value) => value.step > one.step);
  return after < 0 ? [...values, one] : [...values.slice(0, after), one, ...values.slice(after)];
}

const isFilled = (value: Histogram) => value.counts.some((count) => count > 0);

const notFiniteIn = (value: Histogram) => value.nan + value.positive_inf + value.negative_inf;

/** Why a histogram is not drawn; "" if it is. */
export function whyNotDrawn(value: Histogram): string {
  if (value.error !== undefined) return t("histogramUnread", value.error);
  if (isFilled(value)) return "";
  const bad = notFiniteIn(value);
  if (bad === 0) return t("histogramEmpty");
  return t(value.nan === bad ? "allNan" : "allNotFinite", formatCount(bad));
}

/** The kinds of histograms that are not drawn, with their number and the first one's reason. */
export function notDrawn(values: readonly Histogram[]): { count: number; why: string }[] {
  const found = new Map<string, { count: number; why: string }>();
  for (const value of values) {
    const why = whyNotDrawn(value);
    if (why === "") continue;
    const kind = value.error !== undefined ? "unread" : notFiniteIn(value) > 0 ? "bad" : "empty";
    const known = found.get(kind);
    if (known) known.count++;
    else found.set(kind, { count: 1, why });
  }
  return [...found.values()];
}

function placesOf(values: readonly Histogram[]): Places {
  return {
    steps: values.map((value) => value.step),
    times: values.map((value) => value.time),
    at: values.map((value) => value.at ?? ""),
  };
}

/**
 * Up to 200 steps at even distances, every recorded step as a place, and the one that the reader
 * chose.
 */
export function useHistograms({ run, tag, rank }: OneSeries, seen: boolean) {
  const series = `${run} ${tag} ${rank}`;
  const rounds = useStore(revision);
  const { data, error } = useLoaded(seen ? `${series} ${rounds}` : "", (signal) =>
    getHistograms({ run, tag, rank, limit: stepsAtMost }, signal),
  );
  const complete = data !== null && data.values.length >= data.total;
  const { data: recorded } = useLoaded(data && !complete ? `${series} ${rounds}` : "", (signal) =>
    getPlaces({ run, kind: "histogram", tag, rank }, signal),
  );
  const places = useMemo(
    () => (complete ? placesOf(data.values) : recorded),
    [complete, data, recorded],
  );
  const [written, setWritten] = useSetting(`step ${tag} ${run} ${rank}`);
  const index = places && written !== "" ? placeOf(places.steps, written) : -1;
  const at = places?.at[index] ?? "";
  const { data: one, error: unread } = useLoaded(at && `${series} ${at}`, async (signal) => {
    const value = await getHistogram({ run, kind: "histogram", tag, rank, at }, signal);
    return { ...value, at };
  });
  const values = useMemo(() => withStep((data?.values ?? []).filter(isFilled), one), [data, one]);
  return {
    data,
    error,
    values,
    /** The histogram at the slider, or null while it loads; the newest if no step is chosen. */
    current: at === "" ? (data?.values.at(-1) ?? null) : one?.at === at ? one : null,
    /** Why the chosen histogram could not be loaded. */
    unread: at === "" ? null : unread,
    places,
    /** The index of the chosen step among the places, and among the values; -1: none is chosen. */
    index,
    chosen: one ? values.findIndex((value) => value.at === one.at) : -1,
    goTo: (place: number) => setWritten(places ? spotOf(places.steps, place) : ""),
  };
}
