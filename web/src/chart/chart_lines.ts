// The lines of a chart: requested once the chart can be seen, and again when what it shows changes.
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import {
  getRankBands,
  oddRanks,
  type RankBand,
  type RanksOf,
  type RanksRange,
} from "../core/api_ranks";
import { getSeries, type Series, type SeriesRequest } from "../core/api_series";
import { revision, runOf, slots } from "../core/model";
import { type Loaded, Store, useLoaded, useStore } from "../core/store";
import { type Axis, isCounted } from "../core/view_state";
import { type Line, toLine, within } from "./line";
import { bandLine, slotOfCurve, slotOfRank, splitByRanks } from "./rank_lines";

// Series of up to twice as many points arrive exact. Smoothing and CSV files then use the points
// themselves.
export const smoothColumns = 10000;

/**
 * Whether the line has more points than the server is ever asked for, so that its CSV file holds
 * columns.
 */
export function heldAsColumns(line: Line): boolean {
  return line.inRange > 2 * smoothColumns;
}

/** The key of a curve of the main tag; a tag that is none is its own. */
export function curveKey(tag: string, main: string): string {
  return tag.startsWith(`${main}/`) ? tag.slice(main.length + 1) : tag;
}

/**
 * Names lines by their run. Appends "#rank" if the run has several ranks, and the tag, or the key of
 * a curve, if it is not the chart's.
 */
export function labelsOf(
  requests: readonly SeriesRequest[],
  tag: string,
): (request: SeriesRequest) => string {
  const ranks = new Map<string, number>();
  const key = (request: SeriesRequest) => `${request.run}\n${request.tag}`;
  for (const request of requests) ranks.set(key(request), (ranks.get(key(request)) ?? 0) + 1);
  return (request) => {
    const name = runOf(request.run)?.name ?? request.run;
    const ranked = ranks.get(key(request))! > 1 ? `${name} #${request.rank}` : name;
    return request.tag === tag ? ranked : `${ranked} · ${curveKey(request.tag, tag)}`;
  };
}

export interface LinesRequest {
  /** The chart's tag; the requests may be for other tags too. */
  tag: string;
  /** The tags of the curves, if this is their main tag. */
  curves?: readonly string[];
  requests: readonly SeriesRequest[];
  axis: Axis;
  range: readonly [number, number] | null;
  /** Weight of the smoothing, from 0 (none) to below 1. */
  smoothing: number;
  /** Ask for points rather than columns, as far as the server gives them. */
  points: boolean;
  /** Whether points that a later attempt recorded again are left out. */
  newest: boolean;
  /** Whether a run with many ranks has one line, their median, and a band. */
  banded: boolean;
}

/**
 * A request with its keys: `source` is the same for any range of the series, `key` has range and
 * resolution. "": nothing.
 */
interface Wanted extends LinesRequest {
  columns: number;
  source: string;
  key: string;
}

interface Fetched {
  series: readonly Series[];
  /** Of the runs with many ranks. With one column each if every rank has its line. */
  ranks: readonly RanksOf<RankBand>[];
  banded: boolean;
  axis: Axis;
  source: string;
  label: (request: SeriesRequest) => string;
  /** Every point of every series is here: any range can be cut out without asking again. */
  whole: boolean;
}

function useWanted(request: LinesRequest, width: number): Wanted {
  const { tag, requests, axis, range, smoothing, points, newest, banded } = request;
  const rounds = useStore(revision);
  const columns = smoothing > 0 || points ? smoothColumns : Math.max(100, Math.round(width - 60));
  const list = useMemo(() => JSON.stringify(requests), [requests]);
  const empty = width === 0 || requests.length === 0;
  const source = empty ? "" : `${JSON.stringify([tag, axis, rounds, newest, banded])}${list}`;
  const key = empty ? "" : `${JSON.stringify([range, columns])}${source}`;
  return { ...request, columns, source, key };
}

const isWhole = ({ data, total }: Series) => data?.form === "points" && data.value.length === total;

/** Samples are the steps of the series that has them. */
export const axisOfServer = (axis: Axis) => (axis === "samples" ? "step" : axis);

/** Whether a chart shows a training that went back to an earlier step and recorded on. */
export const restarted = new Store(false);

// Ranks that leave the others and have lines of their own beside the band.
const oddAtMost = 4;
// With these, a response about the bands of several tags takes at most 200 kB.
const bandsAtOnce = 32;
const bandColumns = 1600;

async function getBands(
  run: string,
  tags: readonly string[],
  range: RanksRange,
): Promise<RanksOf<RankBand>[]> {
  const columns = Math.floor(bandColumns / Math.min(bandsAtOnce, tags.length));
  const few = { ...range, columns: Math.min(range.columns, columns) };
  const parts = Array.from({ length: Math.ceil(tags.length / bandsAtOnce) }, (_, i) =>
    tags.slice(i * bandsAtOnce, (i + 1) * bandsAtOnce),
  );
  return (await Promise.all(parts.map((part) => getRankBands(run, part, few)))).flat();
}

async function load(wanted: Wanted): Promise<Fetched> {
  const { tag, requests, axis, range, columns, source, newest, banded } = wanted;
  const [from, to] = range ?? [null, null];
  const times = !isCounted(axis);
  const { few, many } = splitByRanks(requests);
  const parts = { from, to, columns: banded ? columns : 1 };
  const ranks = (
    await Promise.all([...many].map(([run, tags]) => getBands(run, tags, parts)))
  ).flat();
  const odd = ranks.flatMap((of) =>
    oddRanks(of)
      .slice(0, oddAtMost)
      .map((rank) => ({ run: of.run, tag: of.tag, rank })),
  );
  const asked = banded ? [...few, ...odd] : requests;
  const series =
    asked.length > 0
      ? await getSeries(asked, { axis: axisOfServer(axis), from, to, columns, times, newest })
      : [];
  if (series.some((one) => one.superseded > 0 && one.resumed.length > 0)) restarted.set(true);
  const drawsBand = banded && ranks.length > 0;
  const whole = !times && !drawsBand && series.every(isWhole);
  return {
    series,
    ranks,
    banded: drawsBand,
    axis,
    source,
    label: labelsOf(requests, tag),
    whole,
  };
}

/**
 * The newest series, and whether newer ones are on their way. While the chart is out of sight, or
 * while the same series are loading, nothing is requested; the newest request follows.
 */
function useFetched(wanted: Wanted, visible: boolean): Loaded<Fetched> & { whole: boolean } {
  const [asked, ask] = useState<Wanted>({ ...wanted, source: "", key: "" });
  const key = asked.key;
  const loaded = useLoaded(key, () => load(asked));
  const whole = loaded.data?.source === wanted.source && loaded.data.whole;
  const busy = wanted.source !== "" && asked.source === wanted.source && loaded.loading;
  const outdated = key !== wanted.key && !whole;
  useLayoutEffect(() => {
    if (visible && outdated && !busy) ask(wanted);
  });
  return { ...loaded, whole, loading: loaded.loading || (visible && outdated) };
}

/**
 * The lines of a response, each in its run's color; of one run alone, each rank or each curve in its
 * own.
 */
function linesOf(
  data: Fetched,
  { tag, curves = noCurves }: LinesRequest,
  smoothing: number,
  held: ReadonlyMap<string, number>,
): Line[] {
  const onlyRun = new Set([...data.series, ...data.ranks].map(({ run }) => run)).size === 1;
  const placeOf = new Map(curves.map((curve, place) => [curve, place]));
  const curveOf = (name: string) => {
    const place = placeOf.get(name);
    return place === undefined ? undefined : { key: curveKey(name, tag), place };
  };
  const severalRanks = new Set(data.series.map(({ rank }) => rank)).size > 1;
  const bands = data.banded
    ? data.ranks.flatMap((of) => {
        const slot = held.get(of.run);
        if (slot === undefined) return [];
        const curve = curveOf(of.tag);
        const name = runOf(of.run)?.name ?? of.run;
        const label = of.tag === tag ? name : `${name} · ${curveKey(of.tag, tag)}`;
        const own = curve ? slotOfCurve(slot, curve.place, 0, onlyRun) : slot;
        const beside = !curve && of.tag !== tag;
        return [{ ...bandLine(of, label, own, smoothing), beside, curve }];
      })
    : [];
  const banded = new Set(bands.map(({ run }) => run));
  const places = new Map<string, number>();
  const single = data.series.flatMap((series) => {
    const slot = held.get(series.run);
    if (slot === undefined) return [];
    const { run, rank } = series;
    const place = places.get(`${run}\n${series.tag}`) ?? 0;
    places.set(`${run}\n${series.tag}`, place + 1);
    const curve = curveOf(series.tag);
    const inBand = banded.has(run);
    const own = curve
      ? slotOfCurve(slot, curve.place, place + Number(inBand), onlyRun)
      : inBand
        ? slotOfRank(slot, place, onlyRun)
        : onlyRun && severalRanks
          ? slotOfRank(slot, rank - 1, true)
          : slot;
    const first = runOf(run)?.first_time ?? 0;
    const line = toLine(series, data.axis, first, data.label(series), own, smoothing);
    if (!line) return [];
    line.beside = !curve && series.tag !== tag;
    line.curve = curve;
    line.inBand = inBand;
    return [line];
  });
  return [...bands, ...single];
}

function useDrawn(data: Fetched | null, request: LinesRequest): Line[] | null {
  const { tag, curves, smoothing } = request;
  const held = useStore(slots);
  // Only the slots of these lines count: a new selection moves others long before its own lines are
  // here.
  const slotsOfLines =
    data && [...data.series, ...data.ranks].map(({ run }) => held.get(run)).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: slotsOfLines has all that is read from held, tag and curves what is read from the request.
  return useMemo(
    () => (data ? linesOf(data, request, smoothing, held) : null),
    [data, slotsOfLines, smoothing, tag, curves],
  );
}

export const noCurves: readonly string[] = [];
const noRanks: readonly RanksOf<RankBand>[] = [];

/** The lines of a chart. The old ones stay until the new ones have arrived. */
export function useLines(request: LinesRequest, width: number, visible: boolean) {
  const { axis, range } = request;
  const fetched = useFetched(useWanted(request, width), visible);
  const all = useDrawn(fetched.data, request);
  const cut = fetched.data?.whole ? range : null;
  const lines = useMemo(() => (all && cut ? within(all, cut) : all), [all, cut]);
  return {
    ...fetched,
    lines,
    axis: fetched.data?.axis ?? axis,
    /** Of the runs with many ranks, for each tag. */
    ranks: fetched.data?.ranks ?? noRanks,
    columned: lines?.some((line) => !line.exact) ?? false,
  };
}
