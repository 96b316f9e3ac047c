import { describe, expect, it } from "vitest";
import type { Run } from "../../../src/core/api";
import { slowRanks } from "../../../src/pages/overview/evidence";
import { evidenceText, verdictOf } from "../../../src/pages/overview/verdict";

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

describe("the evidence of a verdict", () => {
  const nan = { ranks: [4], span: { first: 420, since: 420 } };
  const slow = slowRanks("iteration-time", [
    { rank: 11, above: true, excess: 0.25, since: 301 },
    { rank: 3, above: false, excess: -0.2, since: 1 },
    { rank: 5, above: true, excess: 0.3, since: 7, until: 90 },
  ]);
  it("names the rank that is slow, not one that is fast or came back", () => {
    expect(evidenceText("slow", { nan, slow }, 16)).toBe("rank 11, 25 % since step 301");
    expect(
      slowRanks("throughput", [{ rank: 3, above: false, excess: -0.2, since: 1 }]),
    ).toHaveLength(1);
  });
  it("names the rank that is not finite, and since when", () =>
    expect(evidenceText("nan", { nan, slow }, 16)).toBe("rank 4 since step 420"));
  it("counts many ranks, and is silent of one", () => {
    const many = { ...nan, ranks: [1, 2, 3, 4, 5] };
    expect(evidenceText("nan", { nan: many, slow }, 16)).toBe(
      "ranks 1, 2, 3 and 2 more since step 420",
    );
    expect(evidenceText("nan", { nan, slow }, 1)).toBe("");
  });
  it("makes a run with a slow rank one that needs attention", () =>
    expect(verdictOf([run("a"), run("b")], new Map([["b", { nan, slow }]])).faults).toEqual([
      { fault: "slow", grave: false, runs: ["b"] },
    ]));
});
