import { describe, expect, test } from "vitest";
import type { Run } from "../../../src/core/api";
import { bestOf, compareValues, faultOf } from "../../../src/pages/lineage/best";

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
