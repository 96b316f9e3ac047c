// The lines that a chart shows: asked for as soon as it can be seen, again when what it shows changes.
import { useMemo, useRef } from "preact/hooks";
import { getSeries, type SeriesWish } from "../api";
import { revision, runOf, slots } from "../model";
import { useLoaded, useStore } from "../store";
import type { Axis } from "../view";
import { toLine } from "./line";

// With this many columns points come exact up to twice as many: what is smoothed, or saved as CSV, are then the values
// themselves.
export const smoothColumns = 10000;

/** The names of the wishes' lines: a run with several ranks has its rank behind it, a tag beside the chart's own its name. */
export function labelsOf(wishes: readonly SeriesWish[], tag: string): (wish: SeriesWish) => string {
  const ranks = new Map<string, number>();
  const key = (wish: SeriesWish) => `${wish.run}\n${wish.tag}`;
  for (const wish of wishes) ranks.set(key(wish), (ranks.get(key(wish)) ?? 0) + 1);
  return (wish) => {
    const name = runOf(wish.run)?.name ?? wish.run;
    const ranked = ranks.get(key(wish))! > 1 ? `${name} #${wish.rank}` : name;
    return wish.tag === tag ? ranked : `${ranked} · ${wish.tag}`;
  };
}

export interface LinesWish {
  tag: string; wishes: readonly SeriesWish[]; axis: Axis; range: readonly [number, number] | null; smoothing: number;
  /** Points rather than columns, as far as they go. */
  points: boolean;
}

/** The old lines stay until the new ones are there. */
export function useLines({ tag, wishes, axis, range, smoothing, points }: LinesWish, width: number, visible: boolean) {
  const held = useStore(slots);
  const rounds = useStore(revision);
  const columns = smoothing > 0 || points ? smoothColumns : Math.max(100, Math.round(width - 60));
  const wished = useMemo(() => JSON.stringify(wishes), [wishes]);
  const key = width > 0 && wishes.length > 0 ? `${JSON.stringify([tag, axis, range, columns, rounds])}${wished}` : "";
  const shown = useRef("");
  if (visible || shown.current === "") shown.current = visible ? key : "";
  const loaded = useLoaded(shown.current, () =>
    getSeries(wishes, { axis, from: range?.[0] ?? null, to: range?.[1] ?? null, columns, times: axis !== "step" })
      .then((series) => ({ series, axis, label: labelsOf(wishes, tag) })));
  const lines = useMemo(() => {
    if (!loaded.data) return null;
    return loaded.data.series.flatMap((series) => {
      const slot = held.get(series.run);
      if (slot === undefined) return [];
      const line = toLine(series, loaded.data!.axis, runOf(series.run)?.first_time ?? 0, loaded.data!.label(series), slot, smoothing);
      return line ? [series.tag === tag ? line : { ...line, beside: true }] : [];
    });
  }, [loaded.data, held, smoothing]);
  return { ...loaded, lines, axis: loaded.data?.axis ?? axis, columned: lines?.some((line) => !line.exact) ?? false };
}

