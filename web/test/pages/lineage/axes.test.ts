import { describe, expect, test } from "vitest";
import type { Run } from "../../../src/core/api";
import {
  axisOf,
  kept,
  readBrushes,
  shareOn,
  ticksOf,
  withScalars,
  writeBrush,
} from "../../../src/pages/lineage/axes";
import { bucketsOf } from "../../../src/pages/lineage/plots";

describe("the lineage with the last values of scalars", () => {
  const run = (id: string, value: number | null) =>
    ({
      id,
      values: value === null ? {} : { loss: { value, min: value / 2 } },
      lineage: {},
    }) as unknown as Run;
  test("last and least values are columns; a run without any has none", () => {
    const table = withScalars(
      {
        columns: [{ key: "lr", numeric: true }],
        rows: [
          { run: "a", values: [0.1] },
          { run: "c", values: [1] },
        ],
      },
      [run("a", 4), run("b", 6), run("c", null), run("d", null)],
    );
    expect(table.columns.map(({ key }) => key)).toEqual(["lr", "last(loss)", "min(loss)"]);
    expect(table.rows).toEqual([
      { run: "a", values: [0.1, 4, 2] },
      { run: "b", values: [null, 6, 3] },
      { run: "c", values: [1, null, null] },
    ]);
  });
  test("brushes go through the address", () => {
    expect([...readBrushes([writeBrush("a~b", [0.25, 1]), "x", "y~2~1"])]).toEqual([
      ["a~b", [0.25, 1]],
    ]);
  });
  test("buckets hold every finite value", () => {
    expect(bucketsOf([1, 2, 3, NaN, 4])!.counts.reduce((a, b) => a + b)).toBe(4);
    expect(bucketsOf([2, 2])).toEqual({ lo: 2, hi: 2, counts: [2] });
    expect(bucketsOf([NaN])).toBeNull();
  });
});

describe("the axes of the lineage", () => {
  const axis = (...values: number[]) => axisOf({ key: "lr", numeric: true }, values);
  test("are logarithmic where values span decades, and name few values themselves", () => {
    const lr = axis(0.2, 0.003, 0.1, 0.03, 3, 0.1);
    expect(lr.log).toBe(true);
    expect(ticksOf(lr, 5, 0.05).map(({ text }) => text)).toEqual([
      "0.003",
      "0.03",
      "0.1",
      "0.2",
      "3",
    ]);
    expect(ticksOf(lr, 5, 0.12).map(({ text }) => text)).toEqual(["0.003", "0.03", "0.1", "3"]);
    expect(shareOn(lr, 0.003)).toBe(0);
    expect(shareOn(lr, 3)).toBe(1);
    expect(axis(0.003, 0.2).log).toBe(true);
    expect(axis(0.05, 0.97).log).toBe(false);
    expect(axis(0, 1000).log).toBe(false);
  });
  test("have round numbers where there are many values", () => {
    const many = axis(...Array.from({ length: 20 }, (_, i) => 0.001 * 1.5 ** i));
    expect(ticksOf(many, 5, 0.05).map(({ text }) => text)).toEqual(["0.001", "0.01", "0.1", "1"]);
    const linear = axis(...Array.from({ length: 20 }, (_, i) => i));
    expect(ticksOf(linear, 5, 0.05).map(({ text }) => text)).toEqual(["0", "5", "10", "15"]);
  });
});

test("lineage: a brush keeps the runs within it", () => {
  const columns = [
    { key: "lr", numeric: true },
    { key: "net", numeric: false },
  ];
  const rows = [
    { run: "a", values: [0.1, "x"] },
    { run: "b", values: [0.01, "y"] },
    { run: "c", values: [null, "x"] },
  ];
  const axes = columns.map((column, i) =>
    axisOf(
      column,
      rows.map((row) => row.values[i]!),
    ),
  );
  expect(axes[1]!.names).toEqual(["x", "y"]);
  expect(kept(rows, axes, [0, 1], new Map([["lr", [0.5, 1]]])).map((row) => row.run)).toEqual([
    "a",
  ]);
  expect(kept(rows, axes, [0, 1], new Map())).toHaveLength(3);
});
