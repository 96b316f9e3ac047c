import { describe, expect, it, test } from "vitest";
import type { Run } from "../../../src/core/api";
import type { Series } from "../../../src/core/api_series";
import { badSpanOf } from "../../../src/core/bad_span";
import { isOutcome } from "../../../src/core/lineage";
import { spanText } from "../../../src/pages/overview/evidence";
import { earliest, mostLike, trendOf } from "../../../src/pages/overview/overview";

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

describe("overview", () => {
  test("a trend is the last tenth beside the one before, flat within the noise", () => {
    const falling = Array.from({ length: 100 }, (_, i) => 1 - i / 100);
    expect(trendOf(falling)).toBe("falling");
    expect(trendOf(falling.map((value) => -value))).toBe("rising");
    expect(trendOf(new Array(100).fill(3))).toBe("flat");
    expect(trendOf([1, 2, NaN])).toBeNull();
  });
  test("a run is compared with the one whose lineage is most alike", () => {
    const run = (id: string, lineage: object) => ({ id, lineage }) as never;
    const like = mostLike(run("a", { lr: 1, net: "x", n: 3 }), [
      run("b", { lr: 2, net: "y" }),
      run("c", { lr: 1, net: "x", n: 4 }),
    ]);
    expect(like!.run).toMatchObject({ id: "c" });
    expect(like!.differences).toEqual([{ key: "n", from: "4", to: "3" }]);
    expect(mostLike(run("a", {}), [])).toBeNull();
  });
});

function run(id: string, change: Partial<Run> = {}): Run {
  return {
    id,
    name: id,
    state: "finished",
    recovered: false,
    live: false,
    first_time: 0,
    last_time: 1,
    first_step: 0,
    last_step: 1,
    series: {},
    points: 1,
    ranks: [0],
    parts: 0,
    damage: 0,
    unchecked: 0,
    nan: 0,
    objective: "",
    values: {},
    lineage: {},
    ...change,
  };
}

const with_ = (id: string, lineage: Run["lineage"]) => run(id, { lineage });

describe("what a run differs in", () => {
  it("is settings, not what came out", () => {
    const like = mostLike(with_("a", { lr: 1, loss: 0.1, Accuracy: 0.9 }), [
      with_("b", { lr: 1, loss: 0.2, Accuracy: 0.8, loss_function: "x" }),
    ]);
    expect(like?.differences.map(({ key }) => key)).toEqual(["loss_function"]);
    expect(["loss", "val_loss", "eval/accuracy", "top5", "f1"].filter(isOutcome)).toHaveLength(5);
    expect(["last(loss)", "min(x)"].filter(isOutcome)).toHaveLength(2);
    expect(["loss_function", "learning_rate", "accuracy_target"].filter(isOutcome)).toEqual([]);
  });
});
