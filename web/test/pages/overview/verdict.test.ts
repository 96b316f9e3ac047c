import { describe, expect, it } from "vitest";
import type { Run } from "../../../src/core/api";
import { verdictOf } from "../../../src/pages/overview/verdict";

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
    damage: 0,
    unchecked: 0,
    nan: 0,
    objective: "",
    values: {},
    lineage: {},
    ...change,
  };
}

describe("the verdict", () => {
  it("is good where no run has a fault, and counts states", () => {
    expect(verdictOf([run("a"), run("b", { state: "running" }), run("c")])).toEqual({
      states: [
        { state: "running", count: 1 },
        { state: "finished", count: 2 },
      ],
      faults: [],
      faulty: 0,
    });
  });
  it("names the runs of each fault, the gravest first, and counts a run once", () => {
    const { faults, faulty } = verdictOf([
      run("a", { state: "stalled", nan: 2 }),
      run("b", { damage: 1 }),
      run("c", { state: "killed" }),
      run("d"),
    ]);
    expect(faults.map(({ fault, runs }) => [fault, runs])).toEqual([
      ["nan", ["a"]],
      ["damage", ["b"]],
      ["killed", ["c"]],
      ["stalled", ["a"]],
    ]);
    expect(faulty).toBe(3);
  });
});
