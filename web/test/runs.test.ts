// What is said of many runs at once: the verdict, facets and groups, datasets side by side, the
// operators' pie.
import { describe, expect, it } from "vitest";
import type { DatasetStage, Histogram, Kind, Run, TagOfRuns } from "../src/core/api";
import { isOutcome } from "../src/core/lineage";
import { withStep } from "../src/pages/distributions/histograms";
import { comparable } from "../src/pages/landscape/landscape";
import { lessIsBetter } from "../src/pages/lineage/best";
import { stageRows, stagesOf } from "../src/pages/lineage/datasets";
import { objectiveOf } from "../src/pages/lineage/lineage";
import { mostLike } from "../src/pages/overview/overview";
import { telling } from "../src/pages/overview/tiles";
import { verdictOf } from "../src/pages/overview/verdict";
import { slicesOf } from "../src/pages/profile/operator_pie";
import { facetsOf, itemsOf, termOf, withTerm } from "../src/pages/runs/facets";

function run(id: string, change: Partial<Run> = {}): Run {
  return {
    id,
    name: id,
    state: "finished",
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
const with_ = (id: string, lineage: Run["lineage"]) => run(id, { lineage });

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

describe("facets", () => {
  it("are keys with a few values, counted", () => {
    const list = [
      with_("a", { net: "x", lr: 0.1, seed: 1 }),
      with_("b", { net: "x", lr: 0.2, seed: 2 }),
      with_("c", { net: "y", lr: 0.2, seed: 3 }),
    ];
    expect(facetsOf(list)).toEqual([
      {
        key: "lr",
        values: [
          { value: 0.1, count: 1 },
          { value: 0.2, count: 2 },
        ],
      },
      {
        key: "net",
        values: [
          { value: "x", count: 2 },
          { value: "y", count: 1 },
        ],
      },
    ]);
  });
  it("keep the values in the query, so that they can be removed from it", () => {
    const list = [with_("a", { net: "x" }), with_("b", { net: "x" })];
    expect(facetsOf(list)).toEqual([]);
    expect(facetsOf(list, ["net == 'x'"])).toEqual([
      { key: "net", values: [{ value: "x", count: 2 }] },
    ]);
  });
  it("write terms of the query language", () => {
    expect(termOf("lr", 0.1)).toBe("lr == 0.1");
    expect(termOf("note of it", "it's")).toBe("`note of it` == 'it\\'s'");
    expect(termOf("name", "x")).toBe("lineage.name == 'x'");
    expect(termOf("bn", true)).toBe("bn == true");
  });
  it("come to a query and go from it", () => {
    expect(withTerm("", "a == 1")).toBe("a == 1");
    expect(withTerm("b == 2", "a == 1")).toBe("b == 2 and a == 1");
    expect(withTerm("b == 2 and a == 1", "a == 1")).toBe("b == 2");
    expect(withTerm("b == 2 or c == 3", "a == 1")).toBe("(b == 2 or c == 3) and a == 1");
  });
  it("are added to words as to the query that the words stand for", () => {
    expect(withTerm("b16", "lr == 1")).toBe("(name =~ '(?i)b16' or b16) and lr == 1");
  });
  it("group the rows: each group under its value, in the order of the list", () => {
    const items = itemsOf(
      [with_("a", { net: "x" }), with_("b", { net: "y" }), with_("c", { net: "x" }), run("d")],
      "net",
    );
    expect(
      items.map((item) => ("run" in item ? item.run.id : `${item.value} ${item.members.length}`)),
    ).toEqual(["x 2", "a", "c", "y 1", "b", "– 1", "d"]);
    expect(itemsOf([run("a")], "")).toHaveLength(1);
  });
});

describe("the objective of the lineage", () => {
  it("is the least value of what most runs aim at", () => {
    expect(
      objectiveOf(
        [{ objective: "loss" }, { objective: "loss" }, { objective: "other" }, {}],
        ["lr", "min(loss)", "min(other)"],
      ),
    ).toBe("min(loss)");
    expect(objectiveOf([{}], ["lr"])).toBe("");
  });
  it("is better when less for losses, when more for the others", () => {
    expect([lessIsBetter("min(train/loss)"), lessIsBetter("last(accuracy)")]).toEqual([
      true,
      false,
    ]);
  });
});

describe("datasets side by side", () => {
  const stage = (op_type: string, change: Partial<DatasetStage> = {}): DatasetStage => ({
    op_type,
    parameters: { op_type },
    operations: [],
    sampler: null,
    children: [],
    ...change,
  });
  const rescale = {
    parameters: { tensor_op_name: "Rescale", tensor_op_params: '{"r": 1}' },
    size: [],
    weights: [],
  };
  const pipeline = (size: number, more: DatasetStage[] = []): DatasetStage =>
    stage("Batch", {
      parameters: { op_type: "Batch", batch_size: size },
      children: [stage("Map", { operations: [rescale], children: [...more, stage("Source")] })],
    });
  it("have their stages from the source on, with operations by name", () => {
    expect(stagesOf(pipeline(32))).toEqual([
      { name: "Source", settings: {} },
      { name: "Map", settings: { operations: 'Rescale {"r": 1}' } },
      { name: "Batch", settings: { batch_size: "32" } },
    ]);
  });
  it("mark what differs, and a stage that one run lacks", () => {
    const rows = stageRows([stagesOf(pipeline(32)), stagesOf(pipeline(64, [stage("Source")]))]);
    expect(
      rows
        .filter(({ differs }) => differs)
        .map(({ stage, setting, values }) => [stage, setting, values]),
    ).toEqual([
      ["Source 2", "", [undefined, "✓"]],
      ["Batch", "batch_size", ["32", "64"]],
    ]);
  });
});

describe("the operators' pie", () => {
  const row = (type: string, share: number) => ({
    name: "",
    type,
    shapes: "",
    count: 1,
    total: 1,
    self: 1,
    share,
    flops: 0,
  });
  it("has the greatest nine and the others as one, together 1", () => {
    const slices = slicesOf(Array.from({ length: 12 }, (_, i) => row(`t${i}`, i + 1)));
    expect(slices.map(({ name }) => name)).toEqual([
      "t11",
      "t10",
      "t9",
      "t8",
      "t7",
      "t6",
      "t5",
      "t4",
      "t3",
      "",
    ]);
    expect(slices[9]!.types).toBe(3);
    expect(slices.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
  });
  it("is empty where nothing took time", () => expect(slicesOf([row("a", 0)])).toEqual([]));
});

describe("pictures of the overview", () => {
  const tag = (name: string, kind: Kind): TagOfRuns => ({
    kind,
    tag: name,
    ranks: [0],
    runs: ["a"],
  });
  it("are of a second metric, and of weights", () => {
    const list = [
      tag("loss", "scalar"),
      tag("lr", "scalar"),
      tag("eval/accuracy", "scalar"),
      tag("conv.bias", "histogram"),
      tag("conv.weight", "histogram"),
    ];
    expect(telling(list, "scalar", new Set(["loss"]))?.tag).toBe("eval/accuracy");
    expect(telling(list, "histogram", new Set())?.tag).toBe("conv.weight");
    expect(telling([tag("loss", "scalar")], "scalar", new Set(["loss"]))).toBeUndefined();
  });
});

describe("distributions at any step", () => {
  const at = (step: number): Histogram => ({
    step,
    time: 0,
    at: `p${step}`,
    edges: [0, 1],
    counts: [1],
    count: 1,
    nan: 0,
    positive_inf: 0,
    negative_inf: 0,
  });
  it("take the chosen one in among those that are drawn", () => {
    expect(withStep([at(1), at(9)], at(5)).map(({ step }) => step)).toEqual([1, 5, 9]);
    expect(withStep([at(1)], at(5)).map(({ step }) => step)).toEqual([1, 5]);
    expect(withStep([at(1), at(9)], at(9))).toHaveLength(2);
  });
});

describe("landscapes in one picture", () => {
  const named = (name: string, decomposition: string, ny = 5) => ({
    run: name,
    name: {
      tag: "l",
      rank: 0,
      step: 0,
      time: 0,
      at: "",
      nx: 5,
      ny,
      path: 0,
      unit: "",
      decomposition,
    },
  });
  it("are of one kind of directions, and two at least; a line is none", () => {
    const groups = comparable([
      named("a", "PCA"),
      named("b", "PCA"),
      named("c", "Random"),
      named("d", "Random", 1),
    ]);
    expect(groups.map(({ kind, members }) => [kind, members.map(({ run: id }) => id)])).toEqual([
      ["PCA", ["a", "b"]],
    ]);
  });
});
