// The one place that talks to the server: docs/http_api.md.
import { nextTurn } from "./turns";

export interface LastValue {
  step: number;
  time: number;
  value: number;
  min: number | null;
  max: number | null;
  nan: number;
  count: number;
}
export type RunState = "running" | "stalled" | "killed" | "finished" | "ended";
export type LineageValue = string | number | boolean | null;
export interface Run {
  id: string;
  name: string;
  state: RunState;
  live: boolean;
  first_time: number;
  last_time: number;
  first_step: number;
  last_step: number;
  series: Record<string, number>;
  points: number;
  ranks: number[];
  damage: number;
  nan: number;
  objective?: string;
  values: Record<string, LastValue>;
  lineage: Record<string, LineageValue>;
}
export interface RunList {
  generation: number;
  total: number;
  matched: number;
  runs: Run[];
}
export interface Status {
  version: string;
  roots: string[];
  runs: number;
  loading: boolean;
  generation: number;
  read_only: boolean;
  /** Whether /kept holds or takes anything. */
  kept?: boolean;
  /** Whether /source gives the text of source files. */
  source?: boolean;
}
export interface GraphName {
  graph: string;
  kind: string;
  title: string;
}
export interface RunDetail {
  id: string;
  directory: string;
  tags: {
    kind: string;
    tag: string;
    rank: number;
    count: number;
    first_step: number;
    last_step: number;
    nan?: number;
    plugin?: string;
  }[];
  graphs: GraphName[];
  damage_regions: { file: string; offset: number; length: number; reason: string }[];
  files: { file: string; bytes: number; records: number; error: string }[];
  sessions: {
    session: string;
    writer: string;
    rank: number;
    world_size: number;
    resume_from_step?: number;
  }[];
}
export interface TagOfRuns {
  kind: string;
  tag: string;
  ranks: number[];
  runs: string[];
}
export interface SeriesRequest {
  run: string;
  tag: string;
  rank: number;
}
/** `times`: whether the points' times are wanted. */
export interface SeriesRange {
  axis: "step" | "relative" | "time";
  from: number | null;
  to: number | null;
  columns: number;
  times: boolean;
}
/** Times that were not wanted are empty. */
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
  error?: string;
  data: Points | Columns | null;
}
export interface Places {
  steps: number[];
  times: number[];
  at: string[];
}
export interface Histogram {
  step: number;
  time: number;
  at?: string;
  edges: number[];
  counts: number[];
  count?: number;
  min?: number;
  max?: number;
  sum?: number;
  nan?: number;
  positive_inf?: number;
  negative_inf?: number;
}
export interface TensorStats {
  step: number;
  time: number;
  dtype: string;
  shape: number[];
  count: number;
  min: number;
  max: number;
  mean: number;
  std: number;
  nan: number;
  positive_inf: number;
  negative_inf: number;
  sliced?: number[];
}
export interface GraphNode {
  id: string;
  label: string;
  kind: "scope" | "op" | "parameter" | "constant";
  type?: string;
  nodes?: number;
  types?: Record<string, number>;
  scope?: string;
}
export interface GraphEdge {
  from: string;
  to: string;
  count: number;
  control?: boolean;
  shape?: string;
}
export interface GraphScope {
  graph: string;
  kind: string;
  scope: string;
  nodes_in_graph: number;
  more: number;
  nodes: GraphNode[];
  edges: GraphEdge[];
  outside: GraphEdge[];
  /** Of a scope that holds one scope and nothing else: that one. */
  only?: GraphScope;
}
export interface GraphNodeDetail extends GraphNode {
  /** Where the source made it: "/a/b.py:41". */
  locations?: string[];
  attributes: Record<string, string>;
  inputs: { node: string; control: boolean; shape?: string }[];
  outputs: { node: string; control: boolean }[];
}
export interface DatasetNode {
  op_type?: string;
  parameters?: Record<string, unknown>;
  operations?: unknown[];
  children?: DatasetNode[];
}
export interface LineageTable {
  columns: { key: string; numeric: boolean }[];
  rows: { run: string; values: LineageValue[] }[];
}
export interface LandscapeName {
  tag: string;
  rank: number;
  step: number;
  time: number;
  at: string;
  nx: number;
  ny: number;
  path: number;
  unit: string;
  decomposition: string;
}
export interface Landscape {
  step: number;
  time: number;
  x: number[];
  y: number[];
  z: number[];
  path: { intervals: number[]; x: number[]; y: number[]; z: number[] } | null;
  convergence_point: { x: number; y: number; z: number } | null;
  decomposition: string;
  unit: string;
  step_per_epoch: number;
}
export interface Changes {
  generation: number;
  loading: boolean;
  runs: { run: string; change: string }[];
}

/** An answer that is an error; `status` 0: there was no answer. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly column?: number,
  ) {
    super(message);
  }
}

let token = "";
export function setToken(value: string): void {
  token = value;
}
export function getToken(): string {
  return token;
}

// Below the folder that the page itself lies in, whatever --base-path is.
const base = () => new URL("api/v1/", document.baseURI.replace(/[#?].*$/, "")).href;

async function request(path: string, signal?: AbortSignal, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  for (let attempt = 0; ; attempt++) {
    let response: Response;
    try {
      response = await fetch(base() + path, {
        headers,
        credentials: "omit",
        signal: signal ?? null,
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ApiError(0, String(error instanceof Error ? error.message : error));
    }
    if (response.ok) return response;
    if (response.status === 503 && attempt < 5) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      continue;
    }
    let message = `${response.status} ${response.statusText}`;
    let column: number | undefined;
    try {
      const error = ((await response.json()) as { error?: { message?: string; column?: number } })
        .error;
      message = error?.message ?? message;
      column = error?.column;
    } catch {
      // Not ours: a proxy's page, say. The status says enough.
    }
    throw new ApiError(response.status, message, column);
  }
}

const notFinite: Record<string, number> = { NaN: NaN, Infinity: Infinity, "-Infinity": -Infinity };

/** Numbers that JSON cannot hold come as texts. Only asked where a number is expected: a text may read "NaN". */
export function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value in notFinite ? notFinite[value]! : NaN;
}

export async function getJson<T>(path: string, signal?: AbortSignal, body?: unknown): Promise<T> {
  return (await (await request(path, signal, body)).json()) as T;
}

export async function getBinary<H>(
  path: string,
  signal?: AbortSignal,
): Promise<ReturnType<typeof readBinary<H>>> {
  return readBinary<H>(await (await request(path, signal)).arrayBuffer());
}

export function parameters(
  values: Record<string, string | number | null | undefined>,
  several: [string, string][] = [],
): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== null && value !== undefined && value !== "") search.set(key, String(value));
  }
  for (const [key, value] of several) search.append(key, value);
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

export async function getRuns(
  query: string,
  sort: string,
  tags: readonly string[],
  signal?: AbortSignal,
): Promise<RunList> {
  const several = tags.map((tag): [string, string] => ["tag", tag]);
  const answer = await getJson<RunList>(
    `runs${parameters({ query, sort, limit: 5000 }, several)}`,
    signal,
  );
  for (const run of answer.runs) {
    run.values ??= {};
    run.lineage ??= {};
    for (const value of Object.values(run.values)) {
      value.value = toNumber(value.value);
      value.min = value.min === null ? null : toNumber(value.min);
      value.max = value.max === null ? null : toNumber(value.max);
    }
  }
  return answer;
}

export function getRun(run: string, signal?: AbortSignal): Promise<RunDetail> {
  return getJson(`run${parameters({ run })}`, signal);
}

export async function getTags(runs: readonly string[], signal?: AbortSignal): Promise<TagOfRuns[]> {
  const answer = await getJson<{
    runs: string[];
    tags: { kind: string; tag: string; ranks: number[]; runs: "all" | number[] }[];
  }>("tags", signal, { runs });
  return answer.tags.map((tag) => ({
    ...tag,
    runs:
      tag.runs === "all"
        ? answer.runs
        : tag.runs.map((i) => answer.runs[i]).filter((id) => id !== undefined),
  }));
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

interface SeriesHeader {
  series: {
    run: string;
    tag: string;
    rank: number;
    form: string;
    length: number;
    offset: number;
    total: number;
    steps: number;
    in_range: number;
    error?: string;
  }[];
}

/** The header and the numbers of an answer in the form "S L S 1". */
export function readBinary<H>(buffer: ArrayBuffer): {
  header: H;
  numbers: (offset: number, length: number) => Float64Array;
} {
  const bytes = new Uint8Array(buffer);
  if (buffer.byteLength < 8 || new TextDecoder().decode(bytes.subarray(0, 4)) !== "SLS1")
    throw new Error("not SLS1");
  const size = new DataView(buffer).getUint32(4, true);
  if (size % 8 !== 0 || 8 + size > buffer.byteLength) throw new Error("SLS1: header");
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + size))) as H;
  return {
    header,
    numbers: (offset, length) => new Float64Array(buffer, 8 + size + 8 * offset, length),
  };
}

export function readSeries(buffer: ArrayBuffer, times = true): Series[] {
  const { header, numbers } = readBinary<SeriesHeader>(buffer);
  const none = new Float64Array(0);
  // Series with the same steps share them, in the answer and here: what is worked out of one's serves the others.
  let last = NaN;
  let steps: Float64Array = none;
  const stepsAt = (at: number, length: number) => {
    if (at !== last || length !== steps.length) steps = numbers(at, length);
    last = at;
    return steps;
  };
  return header.series.map((entry): Series => {
    const { run, tag, rank, length } = entry;
    const common = { run, tag, rank, total: entry.total ?? 0, inRange: entry.in_range ?? 0 };
    if (entry.error !== undefined) return { ...common, error: entry.error, data: null };
    let at = entry.offset;
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
          step: stepsAt(entry.steps, length),
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
  const { axis, from, to, columns, times } = range;
  const body = {
    series: requests,
    axis,
    columns,
    times,
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
  };
  return readSeries(await (await request("series", undefined, body)).arrayBuffer(), times);
}

interface Waiting {
  requests: readonly SeriesRequest[];
  resolve: (series: Series[]) => void;
  reject: (error: unknown) => void;
}
const waiting = new Map<string, { range: SeriesRange; askers: Waiting[] }>();

// A body may hold 1 MB, an answer 20,000 series; and the first charts are drawn while the next ones are on their way.
const seriesAtOnce = 4000;

/** Neighbours whose requests go in one request. One with too many of them stands alone. */
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
  const answers: Series[] = [];
  for (let i = 0; i < all.length; i += seriesAtOnce)
    answers.push(...(await fetchSeries(all.slice(i, i + seriesAtOnce), range)));
  return answers;
}

async function send(range: SeriesRange, askers: Waiting[]): Promise<void> {
  const groups = together(askers, seriesAtOnce);
  let answer = fetchAll(groups[0]!, range);
  for (let i = 0; i < groups.length; i++) {
    let answers: Series[];
    try {
      answers = await answer;
    } catch (error) {
      for (const asker of groups.slice(i).flat()) asker.reject(error);
      return;
    }
    const next = groups[i + 1];
    if (next) {
      answer = fetchAll(next, range);
      answer.catch(() => {}); // Said when its turn comes.
    }
    let at = 0;
    for (const asker of groups[i]!) {
      asker.resolve(answers.slice(at, at + asker.requests.length));
      at += asker.requests.length;
      await nextTurn();
    }
  }
}

/** The series in the order of the requests. What is asked for at one moment with one range goes together. */
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

export interface Place {
  run: string;
  kind: string;
  tag: string;
  rank: number;
  at?: string;
}

/** The kind of tensors that lie as .npy files beside the events; their tag is "folder\ntag", their place the file. */
export const exportedKind = "exported";

export interface ExportedTensor {
  folder: string;
  tag: string;
  steps: number[];
  files: string[];
}

export async function getExported(run: string, signal?: AbortSignal): Promise<ExportedTensor[]> {
  return (await getJson<{ tensors: ExportedTensor[] }>(`exported${parameters({ run })}`, signal))
    .tensors;
}

export async function getPlaces(place: Place, signal?: AbortSignal): Promise<Places> {
  if (place.kind !== exportedKind) return getJson(`values${parameters({ ...place })}`, signal);
  const [folder, tag] = place.tag.split("\n");
  const found = (await getExported(place.run, signal)).find(
    (one) => one.folder === folder && one.tag === tag,
  );
  return { steps: found?.steps ?? [], times: [], at: found?.files ?? [] };
}

function valuePath(place: Place, more: Record<string, string> = {}): string {
  if (place.kind !== exportedKind) return `value${parameters({ ...place, ...more })}`;
  return `exported/value${parameters({ run: place.run, folder: place.tag.split("\n")[0], file: place.at, ...more })}`;
}

export function getValue<T>(place: Place, signal?: AbortSignal): Promise<T> {
  return getJson(`value${parameters({ ...place })}`, signal);
}

export async function getFile(path: string, signal?: AbortSignal): Promise<Blob> {
  return (await request(path, signal)).blob();
}

/** The encoded bytes of a picture or a sound. */
export async function getBlob(
  place: Place,
  signal?: AbortSignal,
): Promise<{ blob: Blob; headers: Headers }> {
  const response = await request(`value${parameters({ ...place })}`, signal);
  return { blob: await response.blob(), headers: response.headers };
}

function finishStats(stats: TensorStats): TensorStats {
  for (const key of ["min", "max", "mean", "std"] as const) stats[key] = toNumber(stats[key]);
  return stats;
}

/** Of the whole tensor, without its elements. */
export async function getTensorStats(place: Place, signal?: AbortSignal): Promise<TensorStats> {
  return finishStats(await getJson<TensorStats>(valuePath(place, { detail: "stats" }), signal));
}

export async function getTensor(
  place: Place,
  slice: string,
  signal?: AbortSignal,
): Promise<{ stats: TensorStats; data: Float64Array }> {
  const response = await request(valuePath(place, { slice, detail: "data" }), signal);
  const { header, numbers } = readBinary<TensorStats>(await response.arrayBuffer());
  finishStats(header);
  const size = (header.sliced ?? header.shape).reduce((product, n) => product * n, 1);
  return { stats: header, data: numbers(0, size) };
}

export async function getTensorHistogram(
  place: Place,
  slice: string,
  signal?: AbortSignal,
): Promise<Histogram> {
  const answer = await getJson<Histogram>(valuePath(place, { slice, detail: "histogram" }), signal);
  answer.edges = (answer.edges ?? []).map(toNumber);
  return answer;
}

export async function getNpy(place: Place, slice: string, signal?: AbortSignal): Promise<Blob> {
  return (await request(valuePath(place, { slice, detail: "npy" }), signal)).blob();
}

export async function getHistograms(
  run: string,
  tag: string,
  rank: number,
  limit: number,
  signal?: AbortSignal,
): Promise<{ total: number; values: Histogram[] }> {
  const answer = await getJson<{ total: number; values: Histogram[] }>(
    `histograms${parameters({ run, tag, rank, limit })}`,
    signal,
  );
  for (const value of answer.values) value.edges = (value.edges ?? []).map(toNumber);
  return answer;
}

/** A graph of a run, or a dump of the compiler. */
export type GraphPlace = { run: string; graph: string } | { ir: string };

export function getGraphScope(
  place: GraphPlace,
  scope: string,
  signal?: AbortSignal,
): Promise<GraphScope> {
  return getJson(`graph${parameters({ ...place, scope })}`, signal);
}

export function getGraphNode(
  place: GraphPlace,
  node: string,
  signal?: AbortSignal,
): Promise<GraphNodeDetail> {
  return getJson(`graph/node${parameters({ ...place, node })}`, signal);
}

export function searchGraph(
  place: GraphPlace,
  text: string,
  signal?: AbortSignal,
): Promise<{ total: number; matches: GraphNode[] }> {
  return getJson(`graph/search${parameters({ ...place, text, limit: 100 })}`, signal);
}

export interface DumpFolder {
  folder: string;
  files: number;
}
/** A dump of a folder, with what changed since the one before it of the same graph. */
export interface Dump {
  id: string;
  file: string;
  run: number;
  rank?: number;
  compilation?: number;
  kernel_graph?: number;
  graph?: string;
  kind: string;
  number?: number;
  bytes: number;
  error?: string;
  subgraphs?: number;
  params?: number;
  statements?: number;
  changed?: boolean;
  before?: string;
  delta?: { subgraphs: number; params: number; statements: number; ops: Record<string, number> };
}
export interface DumpChange {
  change: "added" | "removed" | "changed";
  element: string;
  name: string;
  name_in_b?: string;
  statement?: string;
  ambiguous: boolean;
  properties?: {
    property: string;
    position?: number;
    key?: string;
    before?: string | null;
    after: string | null;
  }[];
  moved?: boolean;
  reordered?: boolean;
  subgraph?: string;
  behind?: string | null;
}
export interface DumpDiff {
  equal: boolean;
  counts: Record<string, number>;
  changes: DumpChange[];
  left_out?: number;
}

export async function getDumpFolders(signal?: AbortSignal): Promise<DumpFolder[]> {
  return (await getJson<{ folders: DumpFolder[] }>("ir", signal)).folders;
}

export async function getDumps(folder: string, signal?: AbortSignal): Promise<Dump[]> {
  return (await getJson<{ dumps: Dump[] }>(`ir/timeline${parameters({ folder })}`, signal)).dumps;
}

export function getDumpDiff(
  before: string,
  after: string,
  signal?: AbortSignal,
): Promise<DumpDiff> {
  return getJson(`ir/diff${parameters({ before, after })}`, signal);
}

export interface SourceText {
  path: string;
  first: number;
  lines: string[];
}

export function getSource(path: string, line: number, signal?: AbortSignal): Promise<SourceText> {
  return getJson(`source${parameters({ path, line })}`, signal);
}

export function getDataset(
  run: string,
  signal?: AbortSignal,
): Promise<{ dataset: DatasetNode | null }> {
  return getJson(`dataset${parameters({ run })}`, signal);
}

export function getLineage(query: string, signal?: AbortSignal): Promise<LineageTable> {
  return getJson(`lineage${parameters({ query })}`, signal);
}

export async function getLandscapes(run: string, signal?: AbortSignal): Promise<LandscapeName[]> {
  return (
    await getJson<{ landscapes: LandscapeName[] }>(`landscapes${parameters({ run })}`, signal)
  ).landscapes;
}

export async function getLandscape(place: Place, signal?: AbortSignal): Promise<Landscape> {
  const answer = await getValue<Landscape>(place, signal);
  answer.z = answer.z.map(toNumber);
  if (answer.path) answer.path.z = answer.path.z.map(toNumber);
  return answer;
}

export interface KeptAnswer {
  version?: string;
  writable: boolean;
  runs: Record<string, object>;
  layouts: Record<string, string>;
}

export function getKept(signal?: AbortSignal): Promise<KeptAnswer> {
  return getJson("kept", signal);
}

/** Merges it into what the server keeps; null takes away. */
export function postKept(change: {
  runs?: Record<string, Record<string, unknown>>;
  layouts?: Record<string, string | null>;
}): Promise<KeptAnswer> {
  return getJson("kept", undefined, change);
}

/** Follows the stream of changes until it breaks (the promise ends) or `signal` says so. */
export async function followChanges(
  signal: AbortSignal,
  onEvent: (event: string, data: Changes | Status) => void,
): Promise<void> {
  const response = await request("changes", signal);
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
