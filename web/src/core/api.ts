// Requests of the pages (docs/http_api.md) whose responses need conversion. For the others call
// get().
import { naturally } from "./format";
import {
  type Binary,
  get,
  getResponse,
  post,
  type Query,
  type Read,
  type ResponseBody,
  readBinary,
  type Schemas,
  toNumber,
} from "./http";
import { toQuery } from "./query";

export type LastValue = Read<Schemas["LastValue"]>;
export type LineageValue = Schemas["LineageValue"];
export type RunState = Schemas["RunState"];
/** Times are 0 if a run has no events. */
export type Run = Omit<Read<Schemas["Run"]>, "ranks"> & {
  first_time: number;
  last_time: number;
  ranks: number[];
};
export type RunList = Omit<ResponseBody<"runs">, "runs"> & { runs: Run[] };
export type Status = Schemas["Status"];
export type RunDetail = Read<Schemas["RunDetail"]>;
/** One that cannot be read has an error, and no edges and counts. */
export type Histogram = Read<Schemas["Histogram"]> & { error?: string };
export type GraphNode = Schemas["GraphEntry"];
export type GraphScope = Schemas["GraphScope"];
export type Edge = Schemas["Edge"];
export type GraphNodeDetail = Schemas["GraphNode"];
export type DatasetStage = Read<Schemas["DatasetStage"]>;
export type LineageTable = ResponseBody<"lineage">;
export type LandscapeName = Read<Schemas["LandscapeName"]>;
export type Landscape = Read<Schemas["Landscape"]>;
export type Dump = Schemas["Dump"];
export type DumpChange = Schemas["DumpChange"];
export type DumpDiff = Schemas["DumpDiff"];
export type Changes = Schemas["Changes"];

/**
 * The kind of tensors in .npy files beside the events. Their tag is "folder\ntag", their place the
 * file.
 */
export const exportedKind = "exported";
export type Kind = Schemas["Kind"] | typeof exportedKind;

/** A tag, and the requested runs that have it. */
export interface TagOfRuns {
  kind: Kind;
  tag: string;
  ranks: number[];
  runs: string[];
  /** Of the kind "plugin": the plugin of TensorBoard that shows it. */
  plugin?: string;
  /** Of a curve of add_scalars: its main tag. */
  main?: string;
}

/** Names a series or, with `at`, one of its values. */
export interface Place {
  run: string;
  kind: Kind;
  tag: string;
  rank: number;
  at?: string;
}
export type Places = Pick<ResponseBody<"values">, "steps" | "times" | "at">;

type Statistic = "min" | "max" | "mean" | "std";
export type TensorStats = Omit<Read<Schemas["TensorStats"]>, Statistic> & Record<Statistic, number>;

/** The ranks of ranges. */
export function ranksIn(ranges: Schemas["RankRanges"]): number[] {
  return ranges.flatMap(([first = 0, last = -1]) =>
    Array.from({ length: last - first + 1 }, (_, i) => first + i),
  );
}

export async function getRuns(
  query: string,
  sort: string,
  tag: string[],
  separate: boolean,
): Promise<RunList> {
  const how = { query: toQuery(query), sort, tag, limit: 5000 };
  const list = await get("runs", separate ? { ...how, join: "false" } : how);
  if (/^-?id$/.test(sort))
    list.runs.sort((a, b) => (sort === "id" ? naturally(a.id, b.id) : naturally(b.id, a.id)));
  for (const run of list.runs) {
    run.first_time ??= 0;
    run.last_time ??= 0;
    Object.assign(run, { ranks: ranksIn(run.ranks) });
    for (const value of Object.values(run.values)) {
      value.value = toNumber(value.value);
      value.min = value.min === null ? null : toNumber(value.min);
      value.max = value.max === null ? null : toNumber(value.max);
    }
  }
  return list as unknown as RunList;
}

/** What a run has besides its tags, files, sessions and damaged regions. */
export const getRunFacts = (run: string, signal?: AbortSignal) =>
  get("run", { run, limit: 0, rows: 0 }, signal);

export async function getTags(ids: readonly string[]): Promise<TagOfRuns[]> {
  const { runs, tags } = await post("tags", { runs: [...ids] });
  return tags
    .map((tag) => ({
      ...tag,
      ranks: ranksIn(tag.ranks),
      runs: tag.runs === "all" ? runs : tag.runs.flatMap((i) => runs[i] ?? []),
    }))
    .sort((a, b) => naturally(a.tag, b.tag));
}

export async function getPlaces(place: Place, signal?: AbortSignal): Promise<Places> {
  const { kind, run } = place;
  if (kind !== exportedKind) return get("values", { ...place, kind }, signal);
  const [folder, tag] = place.tag.split("\n");
  const { tensors } = await get("exported", { run }, signal);
  const found = tensors.find((one) => one.folder === folder && one.tag === tag);
  return { steps: found?.steps ?? [], times: [], at: found?.files ?? [] };
}

/** The part and the form in which a tensor is requested. */
type Form = Pick<Query<"value">, "slice" | "detail">;

function getValueResponse(place: Place, form: Form, signal?: AbortSignal): Promise<Response> {
  const { kind, run, tag, at = "" } = place;
  if (kind !== exportedKind) return getResponse("value", { ...place, kind, ...form }, signal);
  const folder = tag.split("\n")[0]!;
  return getResponse("exported/value", { run, folder, file: at, ...form }, signal);
}

export async function getValue<T>(place: Place, signal?: AbortSignal): Promise<T> {
  return (await getValueResponse(place, {}, signal)).json() as Promise<T>;
}

/** The encoded bytes of a picture or a sound. */
export async function getMedium(
  place: Place,
  signal?: AbortSignal,
): Promise<{ blob: Blob; headers: Headers }> {
  const response = await getValueResponse(place, {}, signal);
  return { blob: await response.blob(), headers: response.headers };
}

/** JSON has no numbers for unknown and infinite statistics. */
function readStats(stats: Read<Schemas["TensorStats"]>): TensorStats {
  const [min, max, mean, std] = [stats.min, stats.max, stats.mean, stats.std].map(toNumber);
  return { ...stats, min: min!, max: max!, mean: mean!, std: std! };
}

/** The statistics of the whole tensor, without its elements. */
export async function getTensorStats(place: Place, signal?: AbortSignal): Promise<TensorStats> {
  return readStats(await (await getValueResponse(place, { detail: "stats" }, signal)).json());
}

export async function getTensor(
  place: Place,
  slice: string,
  signal?: AbortSignal,
): Promise<{ stats: TensorStats; data: Float64Array }> {
  const response = await getValueResponse(place, { slice, detail: "data" }, signal);
  const binary: Binary<Read<Schemas["TensorStats"]>> = readBinary(await response.arrayBuffer());
  const size = binary.header.sliced.reduce((product, n) => product * n, 1);
  return { stats: readStats(binary.header), data: binary.numbers(0, size) };
}

const unread = { counts: [], count: 0, nan: 0, positive_inf: 0, negative_inf: 0 };

function readHistogram(
  histogram: Read<Schemas["Histogram"]> | Read<Schemas["UnreadValue"]>,
): Histogram {
  if ("error" in histogram) return { ...unread, edges: [], ...histogram };
  return { ...histogram, edges: histogram.edges.map(toNumber) };
}

export async function getTensorHistogram(
  place: Place,
  slice: string,
  signal?: AbortSignal,
): Promise<Histogram> {
  const response = await getValueResponse(place, { slice, detail: "histogram" }, signal);
  return readHistogram(await response.json());
}

export async function getNpy(place: Place, slice: string, signal?: AbortSignal): Promise<Blob> {
  return (await getValueResponse(place, { slice, detail: "npy" }, signal)).blob();
}

export async function getHistogram(place: Place, signal?: AbortSignal): Promise<Histogram> {
  return readHistogram(await getValue<Read<Schemas["Histogram"]>>(place, signal));
}

export async function getHistograms(
  query: Query<"histograms">,
  signal?: AbortSignal,
): Promise<{ total: number; values: Histogram[] }> {
  const { total, values } = await get("histograms", query, signal);
  return { total, values: values.map(readHistogram) };
}

export async function getLandscape(place: Place, signal?: AbortSignal): Promise<Landscape> {
  const landscape = await getValue<Landscape>(place, signal);
  landscape.z = landscape.z.map(toNumber);
  if (landscape.path) landscape.path.z = landscape.path.z.map(toNumber);
  return landscape;
}

/** Follows the stream of changes until the connection ends or `signal` aborts it. */
export async function followChanges(
  signal: AbortSignal,
  onEvent: (event: string, data: Changes | Status) => void,
): Promise<void> {
  const response = await getResponse("changes", {}, signal);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split("\n\n");
    text = events.pop()!;
    for (const lines of events.map((event) => event.split("\n"))) {
      const field = (name: string) =>
        lines
          .find((line) => line.startsWith(name))
          ?.slice(name.length)
          .trim();
      const data = field("data:");
      if (data) onEvent(field("event:") ?? "message", JSON.parse(data) as Changes | Status);
    }
  }
}
