// What the ranks of a run have in common, and which of them leave the others (docs/ranks.md).
import { getBinary, type Query, type Read, type Schemas, toNumber } from "./http";

/** Above this number of ranks a chart shows what they have in common, not each of them. */
export const fewRanks = 4;

type Header = Read<Schemas["RanksHeader"]>;
export type LeavingRank = Read<Schemas["LeavingRank"]>;
export type NonFiniteRank = Schemas["NonFiniteRank"];
export type MissingSteps = Schemas["MissingSteps"];

/** Some are named, of all that there are. */
export interface Named<One> {
  total: number;
  named: readonly One[];
}
/** Who is not like the others. */
export interface RankFindings {
  leaving: Named<LeavingRank>;
  nonfinite: Named<NonFiniteRank>;
  missing: Named<MissingSteps>;
}

/** The median of the ranks and their exact extremes, by steps or by columns of steps. */
export interface RankBand {
  exact: boolean;
  firstStep: Float64Array;
  lastStep: Float64Array;
  /** Of all values. */
  low: Float64Array;
  high: Float64Array;
  /** Of the medians. */
  first: Float64Array;
  last: Float64Array;
  least: Float64Array;
  most: Float64Array;
  nan: Float64Array;
  up: Float64Array;
  down: Float64Array;
}

/** Ranks x steps; the arrays have a number for each cell, row by row. */
export interface RankHeat {
  columns: number;
  from: number;
  to: number;
  /** The step of each column, if every column is one and they are not evenly spaced. */
  steps?: readonly number[];
  /** The first and the last rank of each row. */
  rows: readonly (readonly [number, number])[];
  value: Float64Array;
  median: Float64Array;
  recorded: Float64Array;
}

export interface RankRow {
  rank: number;
  lastStep: number;
  last: number;
  mean: number;
  min: number;
  max: number;
  steps: number;
  nonfinite: number;
}

/** One tag of one run. */
export interface RanksOf<Shown> extends RankFindings {
  run: string;
  tag: string;
  ranks: number;
  /** The one rank that is shown, since no other computes a valid value. */
  onlyValid?: number;
  shown: Shown;
}

type Arrays = (index: number) => Float64Array;
type OfTag = Header["tags"][number];

function readBand(form: string, array: Arrays): RankBand {
  const of = (...at: number[]) => at.map(array);
  const points = form === "points";
  const [firstStep, lastStep, low, high, first, last, least, most, nan, up, down] = points
    ? of(0, 0, 1, 2, 3, 3, 3, 3, 4, 5, 6)
    : of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  return {
    exact: points,
    firstStep: firstStep!,
    lastStep: lastStep!,
    low: low!,
    high: high!,
    first: first!,
    last: last!,
    least: least!,
    most: most!,
    nan: nan!,
    up: up!,
    down: down!,
  };
}

function readHeat({ columns = 1, rows = [], from = 0, to = 0 }: OfTag, array: Arrays): RankHeat {
  return {
    columns,
    from,
    to,
    rows: rows.map(([first = 0, last = 0]) => [first, last] as const),
    value: array(0),
    median: array(1),
    recorded: array(2),
  };
}

function readTable(array: Arrays): RankRow[] {
  const arrays = Array.from({ length: 8 }, (_, k) => array(k));
  return Array.from(arrays[0]!, (rank, i) => {
    const [, lastStep, last, mean, min, max, steps, nonfinite] = arrays.map((one) => one[i]!);
    return {
      rank,
      lastStep: lastStep!,
      last: last!,
      mean: mean!,
      min: min!,
      max: max!,
      steps: steps!,
      nonfinite: nonfinite!,
    };
  });
}

const none = { total: 0, named: [] };

export interface RanksRange {
  from: number | null;
  to: number | null;
  columns: number;
}
const columnsAtMost = 1500;

async function getRanks<Shown>(
  show: Query<"ranks">["show"],
  run: string,
  tags: readonly string[],
  range: RanksRange,
  read: (about: OfTag, array: Arrays) => Shown,
  signal?: AbortSignal,
): Promise<RanksOf<Shown>[]> {
  const { from, to, columns } = range;
  const query = {
    run,
    tag: [...tags],
    show,
    columns: Math.max(1, Math.min(columnsAtMost, Math.round(columns))),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
  };
  const { header, numbers } = await getBinary<Header, "ranks">("ranks", query, signal);
  return header.tags.flatMap((about) => {
    const { tag, ranks, length = 0, offset = 0 } = about;
    if (ranks === undefined) return [];
    const leaving = about.leaving ?? none;
    return [
      {
        run,
        tag,
        ranks,
        ...(about.only_valid === undefined ? {} : { onlyValid: about.only_valid }),
        leaving: {
          total: leaving.total,
          named: leaving.named.map((one) => ({
            ...one,
            excess: one.excess === null ? null : toNumber(one.excess),
          })),
        },
        nonfinite: about.nonfinite ?? none,
        missing: about.missing ?? none,
        shown: read(about, (k) => numbers(offset + k * length, length)),
      },
    ];
  });
}

/** The tags of a run that are scalars; the others are left out. */
export const getRankBands = (run: string, tags: readonly string[], range: RanksRange) =>
  getRanks("band", run, tags, range, ({ form = "" }, array) => readBand(form, array));

export const getRankHeat = async (
  run: string,
  tag: string,
  range: RanksRange,
  signal?: AbortSignal,
) => (await getRanks("heat", run, [tag], range, readHeat, signal))[0] ?? null;

export const getRankTable = async (
  run: string,
  tag: string,
  range: RanksRange,
  signal?: AbortSignal,
) =>
  (await getRanks("table", run, [tag], range, (_, array) => readTable(array), signal))[0] ?? null;

/** The ranks whose values are not like those of the others, each once. */
export function oddRanks({ leaving, nonfinite }: RankFindings): number[] {
  return [...new Set([...leaving.named, ...nonfinite.named].map(({ rank }) => rank))];
}
