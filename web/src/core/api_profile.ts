// Profiles: the paths below /api/v1/profile of docs/http_api.md. Times are nanoseconds from the profile's first span on.
import { getBinary, getFile, getJson, parameters, toNumber } from "./api";

export interface ProfileName {
  profile: string;
  format: string;
  run: string | null;
}
export interface Lane {
  lane: number;
  process: string;
  thread: string;
  kind: string;
  spans: number;
  rows: number;
}
export interface CounterName {
  counter: number;
  name: string;
  process: string;
  samples: number;
  first: number;
  last: number;
  min: number;
  max: number;
  max_at: number;
}
export interface ProfileInfo {
  profile: string;
  format: string;
  rank: number | null;
  ranks: number[];
  origin: string;
  duration: number;
  events: number;
  modelled: number;
  spans: number;
  flow_points?: number;
  lanes: Lane[];
  counters: CounterName[];
  files: {
    file: string;
    bytes: number;
    events: number;
    modelled: number;
    unseen: boolean;
    error: string;
  }[];
  attributes: Record<string, string>;
  not_understood: { reason: string; count: number; example: string }[];
}
export interface OperatorRow {
  name: string;
  type: string;
  shapes: string;
  count: number;
  total: number;
  self: number;
  share: number;
}
export interface Operators {
  source: string;
  inferred: boolean;
  nested: boolean;
  total: number;
  count: number;
  all: number;
  matched: number;
  rows: OperatorRow[];
}
export interface StepMean {
  total: number;
  gap: number;
  work: number;
  tail: number;
  communication: number;
}
export interface Steps {
  source: string;
  inferred: boolean;
  own_clock: boolean;
  forward_operator: string;
  backward_operator: string;
  count: number;
  mean: StepMean;
  mean_without_first: StepMean;
  number: number[];
  start: number[];
  total: number[];
  gap: number[];
  work: number[];
  tail: number[];
  communication: number[];
}
export interface QueueUse {
  id: number;
  type: string;
  workers: number;
  parent: number | null;
  capacity: number;
  usage: number | null;
  average: number;
  empty: number;
  cpu_percent: number | null;
  samples: number[];
}
export interface Advice {
  rule: string;
  subject: string;
  evidence: string;
  change: string;
}
export interface Finding extends Advice {
  what: string;
  share: number;
}
export interface DataPipeline {
  batches: number;
  empty_batches: number;
  full_batches: number;
  get_mean: number;
  push_mean: number;
  total_mean: number;
  device_queue: boolean;
  get_next: number;
  empty_get_next: number;
  machine_busy_percent: number | null;
  sampling_interval_ms: number;
  operators: QueueUse[];
  advice: Advice[];
}
export interface ComparedPart {
  name: string;
  before: number;
  after: number;
  share: number;
}
export interface Comparison {
  step_before: number;
  step_after: number;
  steps_before: number;
  steps_after: number;
  phases: ComparedPart[];
  operators: ComparedPart[];
}
export interface Span {
  span: number;
  name: string;
  type: string;
  kind: string;
  lane: number;
  row: number;
  start: number;
  duration: number;
}
export interface SpanDetail extends Span {
  category: string;
  process: string;
  thread: string;
  detail: unknown;
}
export interface Selected {
  from: number;
  to: number;
  spans: number;
  lanes: { lane: number; spans: number; busy: number }[];
  names_in_all: number;
  names: { name: string; count: number; time: number }[];
}
export interface SpanName {
  name: string;
  type: string;
  kind: string;
}
/** A row of a lane: spans of a column and more, and how many narrower ones start in a column and how much of it they cover. */
export interface TimelineRow {
  lane: number;
  row: number;
  start: Float64Array;
  duration: Float64Array;
  name: Float64Array;
  span: Float64Array;
  column: Float64Array;
  count: Float64Array;
  covered: Float64Array;
}
export interface Timeline {
  from: number;
  to: number;
  columns: number;
  names: SpanName[];
  rows: TimelineRow[];
}
export interface Curve {
  time: Float64Array;
  min: Float64Array;
  max: Float64Array;
}

export async function getProfiles(signal?: AbortSignal): Promise<ProfileName[]> {
  return (await getJson<{ profiles: ProfileName[] }>("profiles", signal)).profiles;
}

export async function getProfile(profile: string, signal?: AbortSignal): Promise<ProfileInfo> {
  const info = await getJson<ProfileInfo>(`profile${parameters({ profile })}`, signal);
  for (const counter of info.counters) {
    for (const key of ["first", "last", "min", "max"] as const)
      counter[key] = toNumber(counter[key]);
  }
  return info;
}

export function getOperators(
  profile: string,
  by: "type" | "name",
  filter: { text?: string; type?: string; limit?: number },
  signal?: AbortSignal,
): Promise<Operators> {
  return getJson(`profile/operators${parameters({ profile, by, ...filter })}`, signal);
}

export function getSteps(profile: string, signal?: AbortSignal): Promise<Steps> {
  return getJson(`profile/steps${parameters({ profile })}`, signal);
}

export function getDataPipeline(profile: string, signal?: AbortSignal): Promise<DataPipeline> {
  return getJson(`profile/data${parameters({ profile })}`, signal);
}

export async function getFindings(profile: string, signal?: AbortSignal): Promise<Finding[]> {
  return (
    await getJson<{ findings: Finding[] }>(`profile/summary${parameters({ profile })}`, signal)
  ).findings;
}

export function getComparison(
  profile: string,
  before: string,
  signal?: AbortSignal,
): Promise<Comparison> {
  return getJson(`profile/compare${parameters({ profile, before })}`, signal);
}

export function getSpan(profile: string, span: number, signal?: AbortSignal): Promise<SpanDetail> {
  return getJson(`profile/span${parameters({ profile, span })}`, signal);
}

export function searchSpans(
  profile: string,
  text: string,
  signal?: AbortSignal,
): Promise<{ total: number; total_time: number; matches: Span[] }> {
  return getJson(`profile/search${parameters({ profile, text, limit: 200 })}`, signal);
}

const lanesOf = (lanes: readonly number[]) =>
  lanes.map((lane): [string, string] => ["lane", String(lane)]);

export function getSelection(
  profile: string,
  from: number,
  to: number,
  lanes: readonly number[],
  signal?: AbortSignal,
): Promise<Selected> {
  return getJson(`profile/selection${parameters({ profile, from, to }, lanesOf(lanes))}`, signal);
}

export interface RankUse {
  rank: number;
  profile: string;
  steps: number;
  step: number;
  data_wait: number;
  communication: number;
  own: number;
  communication_share: number;
}

export function getRanks(
  profile: string,
  signal?: AbortSignal,
): Promise<{ ranks: RankUse[]; finding: Finding | null }> {
  return getJson(`profile/ranks${parameters({ profile })}`, signal);
}

export function getFlame(
  profile: string,
  signal?: AbortSignal,
): Promise<{
  stacks: { stack: string; nanos: number; count: number }[];
  total: number;
  left_out?: number;
}> {
  return getJson(`profile/flame${parameters({ profile })}`, signal);
}

/** An arrow from the end of one span to the start of another. */
export interface Flow {
  id: number;
  name: string;
  from_lane: number;
  from_row: number;
  from: number;
  to_lane: number;
  to_row: number;
  to: number;
}

export function getFlows(
  profile: string,
  from: number,
  to: number,
  limit: number,
  signal?: AbortSignal,
): Promise<{ total: number; flows: Flow[] }> {
  return getJson(`profile/flows${parameters({ profile, from, to, limit })}`, signal);
}

/** A Perfetto trace of the profile, or of a part of it. */
export function getExport(
  profile: string,
  window: { from?: number; to?: number },
  signal?: AbortSignal,
): Promise<Blob> {
  return getFile(`profile/export${parameters({ profile, ...window })}`, signal);
}

interface TimelineHeader {
  from: number;
  to: number;
  columns: number;
  names: [string, string, string][];
  rows: { lane: number; row: number; offset: number; wide: number; narrow: number }[];
}

export async function getTimeline(
  profile: string,
  window: { from: number; to: number; columns: number; rows: number },
  lanes: readonly number[],
  signal?: AbortSignal,
): Promise<Timeline> {
  const { header, numbers } = await getBinary<TimelineHeader>(
    `profile/timeline${parameters({ profile, ...window }, lanesOf(lanes))}`,
    signal,
  );
  return {
    from: header.from,
    to: header.to,
    columns: header.columns,
    names: header.names.map(([name, type, kind]) => ({ name, type, kind })),
    rows: header.rows.map(({ lane, row, offset, wide, narrow }) => {
      const part = (i: number) => numbers(offset + i * wide, wide);
      const columns = (i: number) => numbers(offset + 4 * wide + i * narrow, narrow);
      return {
        lane,
        row,
        start: part(0),
        duration: part(1),
        name: part(2),
        span: part(3),
        column: columns(0),
        count: columns(1),
        covered: columns(2),
      };
    }),
  };
}

export async function getCounter(
  profile: string,
  counter: number,
  window: { from?: number; to?: number; columns: number },
  signal?: AbortSignal,
): Promise<Curve> {
  const { header, numbers } = await getBinary<{ length: number }>(
    `profile/counter${parameters({ profile, counter, ...window })}`,
    signal,
  );
  return {
    time: numbers(0, header.length),
    min: numbers(header.length, header.length),
    max: numbers(2 * header.length, header.length),
  };
}
