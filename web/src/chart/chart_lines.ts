// The lines that a chart shows: asked for as soon as it can be seen, again when what it shows changes.
import { useMemo, useRef } from "preact/hooks";
import { getSeries, type Series, type SeriesWish } from "../core/api";
import { revision, runOf, slots } from "../core/model";
import { useLoaded, useStore } from "../core/store";
import type { Axis } from "../core/view";
import { type Line, toLine, within } from "./line";

// With this many columns points come exact up to twice as many: what is smoothed, or saved as CSV, are then the values
// themselves.
export const smoothColumns = 10000;

/** Whether a line has more points than are ever asked for exactly: its CSV holds columns. */
export function heldAsColumns(line: Line): boolean {
  return line.inRange > 2 * smoothColumns;
}

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
  tag: string;
  wishes: readonly SeriesWish[];
  axis: Axis;
  range: readonly [number, number] | null;
  smoothing: number;
  /** Points rather than columns, as far as they go. */
  points: boolean;
}

/** Whether every point of the series is there. */
const isWhole = ({ data, total }: Series) => data?.form === "points" && data.value.length === total;

/**
 * The old lines stay until the new ones are there. Where all points of every line are held, a range is cut out of them;
 * else it is asked for, the newest one as soon as the one before has come.
 */
export function useLines(
  { tag, wishes, axis, range, smoothing, points }: LinesWish,
  width: number,
  visible: boolean,
) {
  const held = useStore(slots);
  const rounds = useStore(revision);
  const columns = smoothing > 0 || points ? smoothColumns : Math.max(100, Math.round(width - 60));
  const wished = useMemo(() => JSON.stringify(wishes), [wishes]);
  const of =
    width > 0 && wishes.length > 0 ? `${JSON.stringify([tag, axis, rounds])}${wished}` : "";
  const key = of && `${JSON.stringify([range, columns])}${of}`;
  const asked = useRef({ of: "", key: "", loading: false, whole: false });
  const waits =
    of !== "" && asked.current.of === of && (asked.current.loading || asked.current.whole);
  if (!waits && (visible || asked.current.key === ""))
    asked.current = { ...asked.current, of, key: visible ? key : "" };
  const loaded = useLoaded(asked.current.key, () =>
    getSeries(wishes, {
      axis,
      from: range?.[0] ?? null,
      to: range?.[1] ?? null,
      columns,
      times: axis !== "step",
    }).then((series) => ({
      series,
      axis,
      of,
      label: labelsOf(wishes, tag),
      whole: axis === "step" && series.every(isWhole),
    })),
  );
  const whole = loaded.data?.of === of && loaded.data.whole;
  asked.current.loading = loaded.loading;
  asked.current.whole = whole;
  // Of these lines only: another selection moves the slots of others, long before its own lines are there.
  const slotsOfLines = loaded.data?.series.map((series) => held.get(series.run)).join();
  const all = useMemo(() => {
    if (!loaded.data) return null;
    return loaded.data.series.flatMap((series) => {
      const slot = held.get(series.run);
      if (slot === undefined) return [];
      const line = toLine(
        series,
        loaded.data!.axis,
        runOf(series.run)?.first_time ?? 0,
        loaded.data!.label(series),
        slot,
        smoothing,
      );
      if (!line) return [];
      line.beside = series.tag !== tag;
      return [line];
    });
  }, [loaded.data, slotsOfLines, smoothing]);
  const lines = useMemo(
    () => (all && range && loaded.data!.whole ? within(all, range) : all),
    [all, range],
  );
  return {
    ...loaded,
    lines,
    loading: loaded.loading || (visible && !whole && asked.current.key !== key),
    axis: loaded.data?.axis ?? axis,
    columned: lines?.some((line) => !line.exact) ?? false,
  };
}
