// Whether a run follows its reference: /api/v1/compare.
import { get, type Query, type Schemas } from "./http";

export type Comparison = Schemas["Comparison"];
export type ComparedTag = Schemas["ComparedTag"];
export type ComparedRank = Schemas["ComparedRank"];
export type RunDifference = Schemas["RunDifference"];

const notFinite = { nan: NaN, inf: Infinity, "-inf": -Infinity } as const;

/** A number of the response, which has texts for those that are not finite. */
export function numberIn(told: Schemas["ComparedNumber"]): number {
  return typeof told === "number" ? told : notFinite[told];
}

export const getComparison = (query: Query<"compare">, signal?: AbortSignal): Promise<Comparison> =>
  get("compare", query, signal);
