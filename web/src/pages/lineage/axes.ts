// The axes of the lineage: positions of values, and the runs that a brush keeps.
import { linearTicks, logTicks, tickLabels } from "../../chart/scale";
import type { LineageTable, LineageValue, Run } from "../../core/api";
import { formatValue, naturally, shortValue } from "../../core/format";

export interface AxisOf {
  key: string;
  numeric: boolean;
  log: boolean;
  lo: number;
  hi: number;
  names: string[];
  /** Of numbers: the different ones, the least first, if there are few. */
  values?: readonly number[];
}
export type Row = LineageTable["rows"][number];

const valuesAtMost = 6;
// A learning rate from 0.003 to 0.2 spans this; an accuracy from 0.05 to 1 does not.
const spanOfLog = 30;

/** An axis: numbers by size (logarithmic if positive ones span decades), texts sorted. */
export function axisOf(
  column: { key: string; numeric: boolean },
  values: readonly LineageValue[],
): AxisOf {
  const numbers = values.filter(
    (value) => typeof value === "number" && Number.isFinite(value),
  ) as number[];
  if (column.numeric && numbers.length > 0) {
    const [lo, hi] = [
      numbers.reduce((a, b) => Math.min(a, b)),
      numbers.reduce((a, b) => Math.max(a, b)),
    ];
    const values = [...new Set(numbers)].sort((a, b) => a - b);
    return {
      key: column.key,
      numeric: true,
      log: lo > 0 && hi / lo >= spanOfLog,
      lo,
      hi,
      names: [],
      ...(values.length <= valuesAtMost ? { values } : {}),
    };
  }
  const names = [
    ...new Set(values.filter((value) => value !== null && value !== undefined).map(String)),
  ].sort(naturally);
  return { key: column.key, numeric: false, log: false, lo: 0, hi: 0, names };
}

/** The position of a value on its axis, from 0 (bottom) to 1; NaN if it has none. */
export function shareOn(axis: AxisOf, value: LineageValue | undefined): number {
  if (value === null || value === undefined) return NaN;
  if (!axis.numeric) {
    const i = axis.names.indexOf(String(value));
    return i < 0 ? NaN : axis.names.length > 1 ? i / (axis.names.length - 1) : 0.5;
  }
  if (typeof value !== "number") return NaN;
  if (axis.hi === axis.lo) return 0.5;
  return axis.log
    ? Math.log(value / axis.lo) / Math.log(axis.hi / axis.lo)
    : (value - axis.lo) / (axis.hi - axis.lo);
}

/**
 * Labels along an axis, about as many as wanted: the values themselves if they are few, or else
 * round numbers. Labels nearer than `apart` (a share of the axis) to the one before are omitted.
 */
export function ticksOf(
  axis: AxisOf,
  wanted: number,
  apart: number,
): { share: number; text: string }[] {
  if (!axis.numeric) {
    const every = Math.ceil(axis.names.length / (1.25 * wanted));
    return axis.names
      .map((name) => ({ share: shareOn(axis, name), text: shortValue(name, 14) }))
      .filter((_, i) => i % every === 0);
  }
  const { lo, hi } = axis;
  const ticks = axis.values ?? (axis.log ? logTicks(lo, hi, wanted) : linearTicks(lo, hi, wanted));
  const labels = axis.values ? ticks.map((value) => formatValue(value, 6)) : tickLabels(ticks);
  let last = -Infinity;
  return labels.flatMap((text, i) => {
    const share = shareOn(axis, ticks[i]!);
    if (share - last < apart) return [];
    last = share;
    return [{ share, text }];
  });
}

/** The rows within every brush. */
export function kept(
  rows: readonly Row[],
  axes: readonly AxisOf[],
  shown: readonly number[],
  brushes: ReadonlyMap<string, readonly [number, number]>,
): Row[] {
  return rows.filter((row) =>
    shown.every((i) => {
      const brush = brushes.get(axes[i]!.key);
      if (!brush) return true;
      const share = shareOn(axes[i]!, row.values[i]);
      return share >= brush[0] - 1e-9 && share <= brush[1] + 1e-9;
    }),
  );
}

/**
 * Adds the last and the least value of each scalar in the list of runs as columns of the table.
 */
export function withScalars(table: LineageTable, runs: readonly Run[]): LineageTable {
  const of = new Map(runs.map((run) => [run.id, run]));
  const tags = [...new Set(runs.flatMap((run) => Object.keys(run.values)))].sort();
  const known = new Set(table.columns.map(({ key }) => key));
  const added = tags
    .flatMap((tag) => [
      { key: `last(${tag})`, numeric: true, value: (run: Run) => run.values[tag]?.value ?? null },
      { key: `min(${tag})`, numeric: true, value: (run: Run) => run.values[tag]?.min ?? null },
    ])
    .filter(({ key }) => !known.has(key));
  const rows = new Map(table.rows.map((row) => [row.run, row.values]));
  return {
    columns: [...table.columns, ...added.map(({ key, numeric }) => ({ key, numeric }))],
    rows: runs
      .filter((run) => rows.has(run.id) || Object.keys(run.values).length > 0)
      .map((run) => ({
        run: run.id,
        values: [
          ...(rows.get(run.id) ?? table.columns.map(() => null)),
          ...added.map(({ value }) => (of.has(run.id) ? value(run) : null)),
        ],
      })),
  };
}

/** "key~0.25~1": a brush as written in the address. */
export const writeBrush = (key: string, [lo, hi]: readonly [number, number]) =>
  `${key}~${Number(lo.toFixed(3))}~${Number(hi.toFixed(3))}`;

export function readBrushes(list: readonly string[]): Map<string, readonly [number, number]> {
  return new Map(
    list.flatMap((text) => {
      const parts = text.split("~");
      const [lo, hi] = parts.slice(-2).map(Number);
      return parts.length >= 3 && lo! <= hi!
        ? [[parts.slice(0, -2).join("~"), [lo!, hi!] as const]]
        : [];
    }),
  );
}
