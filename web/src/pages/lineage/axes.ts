// The axes of the lineage: positions of values, and the runs that a brush keeps.
import type { LineageTable, LineageValue, Run } from "../../core/api";

export interface AxisOf {
  key: string;
  numeric: boolean;
  log: boolean;
  lo: number;
  hi: number;
  names: string[];
}
export type Row = LineageTable["rows"][number];

/**
 * An axis: numbers by size (logarithmic if positive ones span more than a thousandfold), texts
 * sorted.
 */
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
    return { key: column.key, numeric: true, log: lo > 0 && hi / lo > 1000, lo, hi, names: [] };
  }
  const names = [
    ...new Set(values.filter((value) => value !== null && value !== undefined).map(String)),
  ].sort();
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
