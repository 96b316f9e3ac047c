import { describe, expect, test } from "vitest";
import type { Run } from "../src/core/api";
import type { Series } from "../src/core/api_series";
import { badSpanOf } from "../src/core/bad_span";
import { naturally } from "../src/core/format";
import { toQuery } from "../src/core/query";
import { axisOf, shareOn, ticksOf } from "../src/pages/lineage/axes";
import { bestOf, compareValues, faultOf } from "../src/pages/lineage/best";
import { earliest, spanText } from "../src/pages/overview/overview";
import { offeredColumns } from "../src/pages/runs/runs_table";

const run = (id: string, last: number, state = "ended", objective = "loss") =>
  ({ id, state, objective, values: { loss: { value: last, min: 0.1 } } }) as unknown as Run;

describe("the best run", () => {
  const list = [
    run("diverged", NaN),
    run("killed", 0.2, "killed"),
    run("good", 0.3),
    run("better", 0.25),
    run("infinite", Infinity),
  ];
  const rows = [0.01, 0.02, 0.29, 0.24, 0.03].map((value, i) => ({
    run: list[i]!.id,
    values: [value],
  }));
  const of = (id: string) => list.find((one) => one.id === id);
  test("neither ends in NaN nor was killed", () => {
    expect(bestOf(rows, 0, "min(loss)", of)).toEqual({
      row: rows[3],
      value: 0.24,
      compared: 2,
      faults: { nan: 2, killed: 1 },
    });
    expect(bestOf(rows.slice(0, 2), 0, "min(loss)", of)).toMatchObject({ row: null, compared: 0 });
  });
  test("more is better, unless the name is that of a loss; a run's own objective counts, too", () => {
    const accuracy = rows.map(({ run: id }, i) => ({ run: id, values: [i / 10] }));
    expect(bestOf(accuracy, 0, "accuracy", of)).toMatchObject({ row: accuracy[3], compared: 2 });
    expect(faultOf(list[0], "accuracy")).toBe("nan");
    expect(faultOf(run("a", NaN, "ended", "other"), "min(loss)")).toBe("nan");
    expect(faultOf(run("a", NaN, "ended", "other"), "accuracy")).toBeNull();
    expect(faultOf(undefined, "accuracy")).toBeNull();
  });
  test("in a table NaN comes after numbers, and no value last, in both orders", () => {
    for (const down of [false, true]) {
      const sorted = [null, NaN, 2, 1].sort((a, b) => compareValues(a, b, down));
      expect(sorted).toEqual(down ? [2, 1, NaN, null] : [1, 2, NaN, null]);
    }
  });
});

describe("since when a series is NaN", () => {
  /** A server that answers with single points once `atMost` or fewer lie in the range. */
  const server = (values: readonly number[], atMost: number) => {
    let requests = 0;
    const load = async (from: number | null, to: number | null) => {
      requests++;
      const [begin, end] = [from ?? 0, Math.min(to ?? Infinity, values.length - 1)];
      const steps = Array.from({ length: end - begin + 1 }, (_, i) => begin + i);
      const f = (list: readonly number[]) => Float64Array.from(list);
      if (steps.length <= atMost)
        return {
          data: { form: "points", step: f(steps), value: f(steps.map((at) => values[at]!)) },
        } as Series;
      const size = Math.ceil(steps.length / 5);
      const columns = [0, 1, 2, 3, 4].map((i) => steps.slice(i * size, (i + 1) * size));
      const some = columns.filter((column) => column.length > 0);
      const count = (test: (value: number) => boolean) =>
        f(some.map((column) => column.filter((at) => test(values[at]!)).length));
      return {
        data: {
          form: "columns",
          firstStep: f(some.map((column) => column[0]!)),
          lastStep: f(some.map((column) => column[column.length - 1]!)),
          count: count(() => true),
          nan: count(Number.isNaN),
          positiveInf: count((value) => value === Infinity),
          negativeInf: count((value) => value === -Infinity),
        },
      } as unknown as Series;
    };
    return { load, requests: () => requests };
  };
  const values = (of: (i: number) => number) => Array.from({ length: 1000 }, (_, i) => of(i));
  test.each([
    ["never", values(() => 1), null],
    ["from the first", values(() => NaN), { first: 0, since: 0 }],
    ["to the end", values((i) => (i < 347 ? 1 : NaN)), { first: 347, since: 347 }],
    ["once", values((i) => (i === 401 ? Infinity : 1)), { first: 401, since: null }],
    [
      "once, then to the end",
      values((i) => (i === 12 || i > 802 ? NaN : 1)),
      { first: 12, since: 803 },
    ],
    ["at the very end", values((i) => (i === 999 ? NaN : 1)), { first: 999, since: 999 }],
    ["from a column's first step", values((i) => (i < 400 ? 1 : NaN)), { first: 400, since: 400 }],
    ["nothing recorded", [], null],
  ])("%s", async (_, list, wanted) => {
    expect(await badSpanOf(server(list, 20).load)).toEqual(wanted);
    expect(await badSpanOf(server(list, 5000).load)).toEqual(wanted);
  });
  test("a server that never gives points is not asked for ever", async () => {
    const { load, requests } = server(
      values((i) => (i < 347 ? 1 : NaN)),
      0,
    );
    expect(await badSpanOf(async () => load(null, null))).toMatchObject({ first: 200 });
    expect(requests()).toBeLessThan(200);
  });
  test("in words; of several tags the first", () => {
    expect(spanText({ first: 36, since: 1200 })).toBe("since step 1,200");
    expect(spanText({ first: 36, since: null })).toBe("first at step 36");
    expect(earliest([])).toBeNull();
    expect(earliest([{ first: 5, since: 9 }])).toEqual({ first: 5, since: 9 });
    expect(
      earliest([
        { first: 5, since: 5 },
        { first: 9, since: 9 },
      ]),
    ).toEqual({ first: 5, since: 5 });
    expect(
      earliest([
        { first: 5, since: 9 },
        { first: 3, since: 3 },
      ]),
    ).toEqual({ first: 3, since: null });
  });
});

describe("a text above the table of runs", () => {
  test.each([
    ["", ""],
    ["b16", "name =~ '(?i)b16' or b16"],
    ["rank", "name =~ '(?i)rank' or rank"],
    ["16", "name =~ '(?i)16'"],
    ["lr0.1_s2", "name =~ '(?i)lr0[.]1_s2' or lr0.1_s2"],
    ["rank-3", "name =~ '(?i)rank-3'"],
    ["sweep rank_3", "name =~ '(?i)sweep' and name =~ '(?i)rank_3'"],
    ["训练", "name =~ '(?i)训练'"],
    ["lr > 0.1", "lr > 0.1"],
    ["state", "state"],
    ["not lr", "not lr"],
    ["lineage.lr", "lineage.lr"],
    ['last("loss") < 1', 'last("loss") < 1'],
    ["name =~ 'x'", "name =~ 'x'"],
  ])("%s", (text, query) => expect(toQuery(text)).toBe(query));
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

test("every scalar of the selected runs can be a column", () => {
  const one = { ...run("a", 1), lineage: { lr: 1 } } as unknown as Run;
  const columns = offeredColumns([one], ["iteration-time"], ["objective"]);
  for (const column of [
    "last:loss",
    "max:iteration-time",
    "last:iteration-time",
    "lineage:lr",
    "objective",
  ])
    expect(columns).toContain(column);
});

test("names are in natural order", () => {
  const sorted = ["rank_10", "rank_2", "0.1", "0.03", "0.003", "−1", "1e-5", "b"].sort(naturally);
  expect(sorted.slice(0, 5)).toEqual(["−1", "1e-5", "0.003", "0.03", "0.1"]);
  expect(sorted.indexOf("rank_2")).toBeLessThan(sorted.indexOf("rank_10"));
});
