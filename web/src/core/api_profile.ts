// Profiles: the paths below /api/v1/profile. Times are nanoseconds since the start of the profile's
// first span.
import {
  get,
  getBinary,
  type Query,
  type Read,
  type ResponseBody,
  type Schemas,
  toNumber,
} from "./http";

export type ProfileName = Schemas["ProfileName"];
export type ProfileInfo = Read<Schemas["Profile"]>;
export type Lane = Schemas["Lane"];
export type Counter = Read<Schemas["Counter"]>;
export type OperatorRow = Read<Schemas["OperatorRow"]>;
export type Operators = ResponseBody<"profile/operators">;
export type StepMean = Read<Schemas["Phases"]>;
export type Steps = ResponseBody<"profile/steps">;
export type DataPipeline = Read<Schemas["DataPipeline"]>;
export type DataOperator = Read<Schemas["DataOperator"]>;
export type Advice = Schemas["Advice"];
export type Finding = Read<Schemas["Finding"]>;
export type Part = Read<Schemas["Part"]>;
export type Span = Read<Schemas["Span"]>;
export type ClusterData = ResponseBody<"profile/cluster">;
export type ClusterRank = ClusterData["ranks"][number];
/** An arrow from the end of one span to the start of another. */
export type Flow = ResponseBody<"profile/flows">["flows"][number];

export interface SpanName {
  name: string;
  type: string;
  kind: string;
}

/**
 * A row of a lane: the spans that are at least as wide as a column and, for columns with narrower
 * spans, the number of spans that start there and the share of the column that they cover.
 */
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

export async function getProfile(profile: string, signal?: AbortSignal): Promise<ProfileInfo> {
  const info = await get("profile", { profile }, signal);
  for (const counter of info.counters) {
    for (const key of ["first", "last", "min", "max"] as const)
      counter[key] = toNumber(counter[key]);
  }
  return info;
}

export async function getTimeline(
  query: Query<"profile/timeline">,
  signal?: AbortSignal,
): Promise<Timeline> {
  const { header, numbers } = await getBinary<Schemas["TimelineHeader"], "profile/timeline">(
    "profile/timeline",
    query,
    signal,
  );
  return {
    from: header.from,
    to: header.to,
    columns: header.columns,
    names: header.names.map(([name = "", type = "", kind = ""]) => ({ name, type, kind })),
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
  query: Query<"profile/counter">,
  signal?: AbortSignal,
): Promise<Curve> {
  const { header, numbers } = await getBinary<Schemas["CounterHeader"], "profile/counter">(
    "profile/counter",
    query,
    signal,
  );
  const { length } = header;
  const [time, min, max] = [0, 1, 2].map((i) => numbers(i * length, length));
  return { time: time!, min: min!, max: max! };
}
