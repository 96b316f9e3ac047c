// Scalar series. Requests of the same moment are sent as one.
import { postForResponse, type Read, readBinary, type Schemas } from "./http";
import { nextTurn } from "./turns";

export interface SeriesRequest {
  run: string;
  tag: string;
  rank: number;
  /** The series that the values are divided by, at the steps that both have. */
  over?: { run: string; tag: string; rank: number };
}
/** `times`: whether the response has the points' times. */
export interface SeriesRange {
  axis: "step" | "relative" | "time";
  from: number | null;
  to: number | null;
  columns: number;
  times: boolean;
  /** Whether points that a later attempt of the training recorded again are left out. */
  newest?: boolean;
}
/** Times are empty if they were not requested. */
export interface Points {
  form: "points";
  step: Float64Array;
  time: Float64Array;
  value: Float64Array;
}
export interface Columns {
  form: "columns";
  firstStep: Float64Array;
  lastStep: Float64Array;
  firstTime: Float64Array;
  lastTime: Float64Array;
  min: Float64Array;
  max: Float64Array;
  first: Float64Array;
  last: Float64Array;
  count: Float64Array;
  nan: Float64Array;
  positiveInf: Float64Array;
  negativeInf: Float64Array;
}
export interface Series extends SeriesRequest {
  total: number;
  inRange: number;
  /** Steps from which the training was resumed. */
  resumed: readonly number[];
  /** The number of points that a later attempt recorded again. */
  superseded: number;
  error?: string;
  data: Points | Columns | null;
}

const columnArrays = [
  "firstStep",
  "lastStep",
  "firstTime",
  "lastTime",
  "min",
  "max",
  "first",
  "last",
  "count",
  "nan",
  "positiveInf",
  "negativeInf",
] as const;

export function readSeries(buffer: ArrayBuffer, times = true): Series[] {
  const { header, numbers } = readBinary<Read<Schemas["SeriesHeader"]>>(buffer);
  const none = new Float64Array(0);
  // Series with the same steps share the array, so that results computed from it can be shared,
  // too.
  let last = NaN;
  let steps: Float64Array = none;
  const stepsAt = (at: number, length: number) => {
    if (at !== last || length !== steps.length) steps = numbers(at, length);
    last = at;
    return steps;
  };
  return header.series.map((entry): Series => {
    const { run, tag, rank, length = 0 } = entry;
    const common = {
      run,
      tag,
      rank,
      total: entry.total ?? 0,
      inRange: entry.in_range ?? 0,
      resumed: entry.resumed ?? [],
      superseded: entry.superseded ?? 0,
    };
    if (entry.error !== undefined) return { ...common, error: entry.error, data: null };
    let at = entry.offset ?? 0;
    const next = () => {
      const array = numbers(at, length);
      at += length;
      return array;
    };
    if (entry.form === "points") {
      return {
        ...common,
        data: {
          form: "points",
          step: stepsAt(entry.steps ?? 0, length),
          time: times ? next() : none,
          value: next(),
        },
      };
    }
    const columns = Object.fromEntries(
      columnArrays.map((name) => [name, times || !name.endsWith("Time") ? next() : none]),
    );
    return { ...common, data: { form: "columns", ...columns } as Columns };
  });
}

async function fetchSeries(
  requests: readonly SeriesRequest[],
  range: SeriesRange,
): Promise<Series[]> {
  const body = { series: [...requests], ...range };
  const response = await postForResponse("series", body);
  return readSeries(await response.arrayBuffer(), range.times);
}

interface Waiting {
  requests: readonly SeriesRequest[];
  resolve: (series: Series[]) => void;
  reject: (error: unknown) => void;
}
const waiting = new Map<string, { range: SeriesRange; askers: Waiting[] }>();

// The server takes 1 MB and 20,000 series at once. With fewer, the first charts are drawn while the
// next ones load.
const seriesAtOnce = 4000;

/** Groups neighbours whose requests fit into one. A caller with too many is a group of its own. */
export function together<T extends { requests: readonly unknown[] }>(
  askers: readonly T[],
  atOnce: number,
): T[][] {
  const groups: T[][] = [];
  let size = Infinity;
  for (const asker of askers) {
    size += asker.requests.length;
    if (size > atOnce) {
      groups.push([]);
      size = asker.requests.length;
    }
    groups[groups.length - 1]!.push(asker);
  }
  return groups;
}

async function fetchAll(askers: readonly Waiting[], range: SeriesRange): Promise<Series[]> {
  const all = askers.flatMap((asker) => asker.requests);
  const series: Series[] = [];
  for (let i = 0; i < all.length; i += seriesAtOnce)
    series.push(...(await fetchSeries(all.slice(i, i + seriesAtOnce), range)));
  return series;
}

async function send(range: SeriesRange, askers: Waiting[]): Promise<void> {
  const groups = together(askers, seriesAtOnce);
  let pending = fetchAll(groups[0]!, range);
  for (let i = 0; i < groups.length; i++) {
    let series: Series[];
    try {
      series = await pending;
    } catch (error) {
      for (const asker of groups.slice(i).flat()) asker.reject(error);
      return;
    }
    const next = groups[i + 1];
    if (next) {
      pending = fetchAll(next, range);
      pending.catch(() => {}); // Reported when its turn comes.
    }
    let at = 0;
    for (const asker of groups[i]!) {
      asker.resolve(series.slice(at, at + asker.requests.length));
      at += asker.requests.length;
      await nextTurn();
    }
  }
}

/**
 * The series in the order of the requests. Calls of the same moment with the same range are sent
 * together.
 */
export function getSeries(
  requests: readonly SeriesRequest[],
  range: SeriesRange,
): Promise<Series[]> {
  const key = JSON.stringify(range);
  return new Promise((resolve, reject) => {
    const group = waiting.get(key);
    if (group) {
      group.askers.push({ requests, resolve, reject });
      return;
    }
    const fresh = { range, askers: [{ requests, resolve, reject }] };
    waiting.set(key, fresh);
    setTimeout(() => {
      waiting.delete(key);
      void send(fresh.range, fresh.askers);
    }, 10);
  });
}
