import { describe, expect, test } from "vitest";
import { bilinear, shareOf } from "../src/chart/contours";
import { linesAgainst, statisticsOf } from "../src/chart/derived";
import { densities } from "../src/chart/distribution";
import { extentOf, nearest, notFinite, toLine, traceLine, within } from "../src/chart/line";
import { Raster } from "../src/chart/raster";
import {
  linearScale,
  linearTicks,
  logScale,
  logTicks,
  stepLabels,
  tickLabels,
  timeTicks,
} from "../src/chart/scale";
import { smooth } from "../src/chart/smooth";
import { linesOf } from "../src/chart/surface";
import type { LineageValue, Run } from "../src/core/api";
import { readSeries, type Series, together } from "../src/core/api_series";
import { grouped, groupOf, readFilter } from "../src/core/filter";
import {
  csv,
  csvField,
  formatCount,
  formatDuration,
  formatValue,
  keepEnd,
} from "../src/core/format";
import { toNumber } from "../src/core/http";
import { firstSelection } from "../src/core/model";
import { allTexts } from "../src/core/text";
import { inTurn, nextTurn } from "../src/core/turns";
import { layersOf, layOutScope } from "../src/pages/graphs/layout";
import { ancestorsOf, sceneOf } from "../src/pages/graphs/scene";
import { axisOf, kept } from "../src/pages/lineage/axes";
import { mostLike, trendOf } from "../src/pages/overview/overview";
import { differencesOf } from "../src/pages/runs/differences";
import { firstSlice, tableOf } from "../src/pages/tensors/tensors";
import { placeOf } from "../src/widgets/stepper";
import { line } from "./line";

describe("smoothing", () => {
  test("is TensorBoard's debiased mean", () => {
    // last = 0.5 * last + 0.5 * v, divided by 1 - 0.5^n: 1; 1.25 / 0.75; ...
    expect([...smooth([1, 2, 4], 0.5)]).toEqual([1, 5 / 3, 2.625 / 0.875]);
  });
  test("0 gives the values, a constant stays, what is not finite is passed through", () => {
    expect([...smooth([3, 1, 2], 0)]).toEqual([3, 1, 2]);
    expect([...smooth([2, 2, 2], 0.9)]).toEqual([2, 2, 2]);
    const broken = smooth([1, NaN, 2], 0.5);
    expect(broken[1]).toBeNaN();
    expect(broken[2]).toBeCloseTo(5 / 3, 12);
  });
});

describe("numbers as texts", () => {
  test.each([
    [0, "0"],
    [0.0123, "0.0123"],
    [1.5e-7, "1.5e-7"],
    [90000, "90000"],
    [-2.5, "−2.5"],
    [NaN, "NaN"],
    [Infinity, "∞"],
    [1234567, "1.235e6"],
  ])("%d is %s", (value, text) => expect(formatValue(value)).toBe(text));
  test("counts, durations, long tags", () => {
    expect(formatCount(41200)).toBe("41,200");
    expect(formatDuration(3 * 3600 + 12 * 60)).toBe("3 h 12 min");
    expect(formatDuration(7199)).toBe("2 h");
    expect(keepEnd("network/layer/weight", 7)).toBe("…weight");
  });
  test("a CSV holds no formula and quotes what needs it", () => {
    expect(csvField("=HYPERLINK(1)")).toBe("'=HYPERLINK(1)");
    expect(csvField("@x")).toBe("'@x");
    expect(csv([["a,b", -1.5, 'say "x"']])).toBe('"a,b",-1.5,"say ""x"""\n');
  });
});

describe("ticks", () => {
  test("are round numbers", () => {
    expect(linearTicks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
    expect(logTicks(0.001, 1000, 10)).toEqual([0.001, 0.01, 0.1, 1, 10, 100, 1000]);
    expect(timeTicks(0, 7200, 4)).toEqual([0, 1800, 3600, 5400, 7200]);
  });
  test("have labels that differ, however near they are", () => {
    const ticks = linearTicks(2.29251, 2.29257, 5);
    expect(new Set(tickLabels(ticks)).size).toBe(ticks.length);
    expect(stepLabels([0, 20000, 40000])).toEqual(["0", "20 k", "40 k"]);
  });
  test("of an empty or broken range do not hang", () => {
    expect(linearTicks(1, 1, 5)).toEqual([1]);
    expect(linearTicks(NaN, 1, 5)).toEqual([]);
    expect(linearTicks(-1e308, 1e308, 5)).toHaveLength(1);
  });
});

function answer(header: object, numbers: number[]): ArrayBuffer {
  let text = JSON.stringify(header);
  text += " ".repeat((8 - (text.length % 8)) % 8);
  const bytes = new Uint8Array(8 + text.length + 8 * numbers.length);
  bytes.set(new TextEncoder().encode("SLS1"));
  new DataView(bytes.buffer).setUint32(4, text.length, true);
  bytes.set(new TextEncoder().encode(text), 8);
  new Float64Array(bytes.buffer, 8 + text.length).set(numbers);
  return bytes.buffer;
}

test("work that answers true is the last of its turn", async () => {
  const order: string[] = [];
  const note = (name: string, last: boolean) =>
    inTurn(() => {
      order.push(name);
      queueMicrotask(() => order.push(`turn of ${name} ends`));
      return last;
    });
  note("a", true);
  note("b", false);
  await nextTurn();
  expect(order.slice(0, 3)).toEqual(["a", "turn of a ends", "b"]);
});

describe("a surface while it turns", () => {
  test("has at most so many cells, from the first corner to the last", () => {
    const lines = linesOf(256, 64);
    expect(lines).toHaveLength(65);
    expect([lines[0], lines[64]]).toEqual([0, 255]);
    expect(new Set(lines).size).toBe(65);
    expect(linesOf(5, 64)).toEqual([0, 1, 2, 3, 4]);
  });
});

describe("requests", () => {
  const ask = (n: number) => ({ requests: new Array<number>(n).fill(0) });
  test("charts go together up to a number of series; one with more of them goes alone", () => {
    expect(
      together([ask(2), ask(2), ask(1), ask(9), ask(1)], 4).map((group) =>
        group.map((asker) => asker.requests.length),
      ),
    ).toEqual([[2, 2], [1], [9], [1]]);
  });
});

describe("what differs between runs", () => {
  const run = (lineage: Record<string, LineageValue>) => ({ lineage }) as unknown as Run;
  test("the keys that differ come first; one that a run lacks differs", () => {
    const rows = differencesOf([run({ lr: 0.1, net: "a", seed: 1 }), run({ lr: 0.2, net: "a" })]);
    expect(rows.map(({ key, differs }) => [key, differs])).toEqual([
      ["lr", true],
      ["seed", true],
      ["net", false],
    ]);
    expect(rows[1]!.values).toEqual([1, undefined]);
  });
});

describe("lines made of lines", () => {
  test("a tag against a tag: by run and step, in the order of steps", () => {
    const [pairs, ...more] = linesAgainst(
      [line("a", [1, 2, 3], [5, 6, 7]), line("b", [1], [1])],
      [line("a", [1, 3, 4], [0.5, 0.25, 9]), line("c", [1], [1])],
    );
    expect(more).toEqual([]);
    expect([...pairs!.x]).toEqual([0.5, 0.25]);
    expect([...pairs!.last]).toEqual([5, 7]);
    expect([...pairs!.steps]).toEqual([1, 3]);
  });
  test("statistics are of the finite values", () => {
    const of = statisticsOf(line("a", [1, 2, 3, 4], [2, NaN, 4, Infinity]));
    expect(of).toMatchObject({
      count: 2,
      least: 2,
      leastAt: 1,
      most: 4,
      mostAt: 3,
      mean: 3,
      last: Infinity,
    });
    expect(of.deviation).toBeCloseTo(Math.SQRT2, 12);
  });
  test("columns have exact counts and extremes, and no mean", () => {
    const one = new Float64Array([1]);
    const none = new Float64Array([0]);
    const of = statisticsOf({
      ...line("a", [1], [3]),
      exact: false,
      lo: new Float64Array([-7]),
      hi: new Float64Array([9]),
      count: new Float64Array([5]),
      nan: one,
      up: none,
      down: none,
    });
    expect(of).toMatchObject({ count: 4, least: -7, most: 9, mean: NaN });
  });
});

describe("many lines as spans", () => {
  const rows = (raster: Raster, column: number) =>
    Array.from({ length: raster.height }, (_, row) => row).filter(
      (row) => raster.at(column, row) !== 0,
    );
  const drawn = (points: [number, number][], ratio = 1) => {
    const raster = new Raster(8, 8, ratio, 0, 0);
    raster.pen([1, 2, 3], 1);
    points.forEach(([x, y], i) => (i === 0 ? raster.moveTo(x, y) : raster.lineTo(x, y)));
    return raster;
  };
  test("a column holds its smallest and its largest value", () => {
    expect(
      rows(
        drawn([
          [2.5, 6.5],
          [2.5, 1.5],
        ]),
        2,
      ),
    ).toEqual([1, 2, 3, 4, 5, 6]);
  });
  test("a line touches every column between its ends, forwards and backwards", () => {
    for (const points of [
      [
        [0, 0],
        [8, 8],
      ],
      [
        [8, 8],
        [0, 0],
      ],
    ] as [number, number][][]) {
      const raster = drawn(points);
      for (let column = 0; column < 8; column++) expect(rows(raster, column)).toContain(column);
    }
  });
  test("what lies outside is cut off, not moved to the edge", () => {
    expect(
      rows(
        drawn([
          [-4, -4],
          [12, 12],
        ]),
        3,
      ),
    ).toContain(3);
    expect(
      rows(
        drawn([
          [2, -9],
          [2, -3],
        ]),
        2,
      ),
    ).toEqual([]);
    expect(
      rows(
        drawn([
          [-5, 2],
          [-1, 2],
        ]),
        0,
      ),
    ).toEqual([]);
  });
  test("strokes of one column have nothing between them; those of one path are joined", () => {
    const raster = drawn([
      [2.5, 1.5],
      [2.5, 2.5],
    ]);
    raster.moveTo(2.5, 5.5);
    raster.lineTo(2.2, 6.5);
    raster.lineTo(2.8, 4.5);
    expect(rows(raster, 2)).toEqual([1, 2, 4, 5, 6]);
  });
  test("a new colour leaves what was drawn before as it was", () => {
    const raster = drawn([
      [2.5, 1.5],
      [2.5, 2.5],
    ]);
    raster.pen([0, 0, 1], 1);
    raster.lineTo(2.5, 3.5);
    expect([1, 2, 3].map((row) => raster.at(2, row))).toEqual([0xff030201, 0xff010000, 0xff010000]);
  });
  test("the pen's colour is red, green, blue", () => {
    expect(
      drawn([
        [0, 0],
        [1, 0],
      ]).at(0, 0),
    ).toBe(0xff030201);
  });
});

describe("series from the server", () => {
  const one = { run: "a", tag: "loss", rank: 0, total: 3, in_range: 3 };
  test("points, columns and errors are told apart", () => {
    const [points, columns, missing] = readSeries(
      answer(
        {
          series: [
            { ...one, form: "points", length: 2, steps: 0, offset: 2 },
            { ...one, form: "columns", length: 1, offset: 6 },
            { ...one, error: "no such series" },
          ],
        },
        [1, 2, 10, 20, 0.5, 0.25, 1, 3, 10, 30, -7, 9, 1, 2, 3, 1, 0, 0],
      ),
    );
    expect(points!.data).toMatchObject({
      form: "points",
      step: new Float64Array([1, 2]),
      value: new Float64Array([0.5, 0.25]),
    });
    expect(columns!.data).toMatchObject({
      form: "columns",
      min: new Float64Array([-7]),
      max: new Float64Array([9]),
      nan: new Float64Array([1]),
    });
    expect(missing!.error).toBe("no such series");
  });
  test("steps may be shared, times left out", () => {
    const two = readSeries(
      answer(
        {
          series: [
            { ...one, form: "points", length: 2, steps: 0, offset: 2 },
            { ...one, run: "b", form: "points", length: 2, steps: 0, offset: 4 },
            { ...one, run: "c", form: "columns", length: 1, offset: 6 },
          ],
        },
        [1, 2, 0.5, 0.25, 5, 6, 1, 3, -7, 9, 1, 2, 3, 1, 0, 0],
      ),
      false,
    );
    expect(two[1]!.data).toMatchObject({
      step: new Float64Array([1, 2]),
      time: new Float64Array([]),
      value: new Float64Array([5, 6]),
    });
    expect(two[2]!.data).toMatchObject({
      firstTime: new Float64Array([]),
      min: new Float64Array([-7]),
      count: new Float64Array([3]),
    });
  });
  test("what is not in the form is refused", () => {
    expect(() => readSeries(new ArrayBuffer(4))).toThrow();
    expect(() =>
      readSeries(new TextEncoder().encode("SLS1\u00ff\u00ff\u00ff\u0000").buffer as ArrayBuffer),
    ).toThrow();
  });
  test("numbers that JSON cannot hold come as texts", () => {
    expect(toNumber("-Infinity")).toBe(-Infinity);
    expect(toNumber("NaN")).toBeNaN();
    expect(toNumber(2)).toBe(2);
  });
});

function points(values: number[], steps = values.map((_, i) => i)): Series {
  const step = Float64Array.from(steps);
  return {
    run: "a",
    tag: "t",
    rank: 0,
    total: values.length,
    inRange: values.length,
    data: {
      form: "points",
      step,
      time: step.map((s) => 100 + s),
      value: Float64Array.from(values),
    },
  };
}

describe("lines", () => {
  test("a column's smallest and largest value are drawn: no spike is lost", () => {
    const f = (value: number) => new Float64Array([value]);
    const series: Series = {
      run: "a",
      tag: "t",
      rank: 0,
      total: 1000,
      inRange: 1000,
      data: {
        form: "columns",
        firstStep: f(0),
        lastStep: f(10),
        firstTime: f(0),
        lastTime: f(1),
        min: f(-5),
        max: f(100),
        first: f(1),
        last: f(2),
        count: f(1000),
        nan: f(0),
        positiveInf: f(0),
        negativeInf: f(0),
      },
    };
    const drawn: number[] = [];
    const path = {
      moveTo: (_: number, y: number) => drawn.push(y),
      lineTo: (_: number, y: number) => drawn.push(y),
    };
    traceLine(
      path,
      toLine(series, "step", 0, "a", 0, 0)!,
      linearScale(0, 10, 0, 10),
      linearScale(0, 1, 0, 1),
    );
    expect(drawn).toContain(100);
    expect(drawn).toContain(-5);
  });
  test("NaN cuts the line and is counted", () => {
    const line = toLine(points([1, NaN, 3, Infinity]), "step", 0, "a", 0, 0)!;
    let moves = 0;
    traceLine(
      { moveTo: () => moves++, lineTo: () => 0 },
      line,
      linearScale(0, 3, 0, 3),
      linearScale(0, 3, 0, 3),
    );
    expect(moves).toBe(2);
    expect(notFinite([line])).toMatchObject({ nan: 1, infinite: 1 });
    expect(extentOf([line], null)).toMatchObject({ lo: 1, hi: 3, xLo: 0, xHi: 3 });
  });
  test("a range is cut out of exact points, both ends included", () => {
    const line = toLine(points([5, 6, NaN, 8]), "step", 0, "a", 0, 0.5)!;
    const steps = [...line.x];
    const [cut] = within([line], [steps[1]!, steps[2]! + 0.5]);
    expect([...cut!.x]).toEqual([steps[1], steps[2]]);
    expect([...cut!.last]).toEqual([6, NaN]);
    expect([...cut!.smoothed!]).toEqual([line.smoothed![1], line.smoothed![2]]);
    expect(cut).toMatchObject({ label: "a", exact: true, inRange: 2 });
    expect(within([line], [steps[3]! + 0.1, steps[3]! + 9])[0]!.x.length).toBe(0);
  });
  test("axes: relative time starts at the run's first event", () => {
    expect([...toLine(points([1, 2]), "relative", 100, "a", 0, 0)!.x]).toEqual([0, 1]);
    expect([...toLine(points([1, 2]), "time", 100, "a", 0, 0)!.x]).toEqual([100, 101]);
    expect(nearest(Float64Array.of(0, 10, 20), 12)).toBe(1);
  });
  test("a log scale has no place for values that are not positive", () => {
    expect(logScale(1, 100, 0, 2).at(10)).toBeCloseTo(1);
    expect(logScale(1, 100, 0, 2).at(0)).toBeNaN();
  });
});

describe("the filter of tags", () => {
  test("a text finds every word, a pattern is between slashes", () => {
    expect(readFilter("loss val").matches("val/Loss")).toBe(true);
    expect(readFilter("loss val").matches("loss")).toBe(false);
    expect(readFilter("/^loss$/").matches("val/loss")).toBe(false);
    expect(readFilter("/loss|acc/").matches("train/acc")).toBe(true);
  });
  test("a broken pattern says so and matches nothing", () => {
    expect(readFilter("/(/").error).not.toBe("");
    expect(readFilter("/(/").matches("(")).toBe(false);
  });
  test("the group of a tag is the part before its first slash", () => {
    expect(groupOf("train/loss/x")).toBe("train");
    expect(
      grouped([{ tag: "b/x" }, { tag: "loss" }, { tag: "b/y" }]).map((group) => [
        group.name,
        group.items.length,
      ]),
    ).toEqual([
      ["", 1],
      ["b", 2],
    ]);
    expect(
      grouped([{ tag: "a/x" }, { tag: "b/x" }, { tag: "b/y" }, { tag: "c/x" }]).map((group) => [
        group.name,
        group.items.length,
      ]),
    ).toEqual([
      ["", 2],
      ["b", 2],
    ]);
  });
});

test("at first the live runs and the newest are selected, 20 at most", () => {
  const runs = Array.from({ length: 40 }, (_, i) => ({ id: `r${i}`, live: i === 3, last_time: i }));
  const chosen = firstSelection(runs as never);
  expect(chosen).toHaveLength(20);
  expect(chosen[0]).toBe("r3");
  expect(chosen[1]).toBe("r39");
});

test("each text is there in both languages, with the same places for values", () => {
  for (const [key, [english, chinese]] of Object.entries(allTexts)) {
    const places = (text: string) => [...text.matchAll(/\{\d\}/g)].map((match) => match[0]).sort();
    expect(chinese, key).not.toBe("");
    expect(places(chinese), key).toEqual(places(english));
  }
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

test("distributions: a bucket's height is its count by its width", () => {
  expect(densities({ edges: [0, 1, 3], counts: [4, 4] })).toEqual([4, 2]);
});

test("a wanted step is answered by the nearest recorded one, no request by the newest", () => {
  expect(placeOf([10, 20, 30], "22")).toBe(1);
  expect(placeOf([10, 20, 30], "")).toBe(2);
  expect(placeOf([], "5")).toBe(-1);
});

describe("tensors", () => {
  test("the first slice is a matrix that a table can show", () => {
    expect(firstSlice([])).toBe("");
    expect(firstSlice([10])).toBe("[:]");
    expect(firstSlice([4, 3, 100, 50])).toBe("[0, 0, :64, :32]");
    expect(tableOf([2, 3], 6)).toEqual({ rows: 2, columns: 3 });
    expect(tableOf([20], 20)).toEqual({ rows: 3, columns: 8 });
    expect(tableOf([0, 0], 0)).toEqual({ rows: 0, columns: 0 });
  });
});

describe("graphs", () => {
  test("a node is below its dependencies, a cycle is cut", () => {
    const layers = layersOf(
      ["a", "b", "c"],
      [
        { from: "a", to: "b" },
        { from: "b", to: "c" },
        { from: "a", to: "c" },
        { from: "c", to: "a" },
      ],
    );
    expect([...layers]).toEqual([
      ["a", 0],
      ["b", 1],
      ["c", 2],
    ]);
  });
  test("boxes do not overlap, even if a layer has many", () => {
    const boxes = Array.from({ length: 40 }, (_, i) => ({
      id: `n${i}`,
      width: 50 + i,
      height: 20,
    }));
    const laid = layOutScope(
      boxes,
      boxes.slice(1).map((box) => ({ from: "n0", to: box.id })),
    );
    for (const a of boxes) {
      for (const b of boxes) {
        if (a.id >= b.id) continue;
        const apart =
          Math.abs(laid.y.get(a.id)! - laid.y.get(b.id)!) >= 20 ||
          laid.x.get(a.id)! + a.width <= laid.x.get(b.id)! ||
          laid.x.get(b.id)! + b.width <= laid.x.get(a.id)!;
        expect(apart, `${a.id} ${b.id}`).toBe(true);
      }
    }
  });
  test("a chain of 20,000 nodes is laid out without deep recursion", () => {
    const ids = Array.from({ length: 20000 }, (_, i) => String(i));
    expect(
      layersOf(
        ids,
        ids.slice(1).map((id, i) => ({ from: String(i), to: id })),
      ).get("19999"),
    ).toBe(19999);
  });
  test("an open scope holds its nodes", () => {
    const scope = (name: string, nodes: object[]) =>
      ({
        graph: "g",
        kind: "computational",
        scope: name,
        nodes_in_graph: 3,
        more: 0,
        nodes,
        edges: [],
        outside: [],
      }) as never;
    const root = scope("", [{ id: "A", label: "A", kind: "scope", nodes: 1 }]);
    const scene = sceneOf(
      root,
      new Map([["A", scope("A", [{ id: "A/b", label: "b", kind: "op", type: "ReLU" }])]]),
      new Set(["A"]),
    );
    const [outer, inner] = scene.nodes;
    expect(outer!.open).toBe(true);
    expect(inner!.x).toBeGreaterThan(outer!.x);
    expect(inner!.y + inner!.height).toBeLessThan(outer!.y + outer!.height);
    expect(ancestorsOf("A/b/c")).toEqual(["A", "A/b", "A/b/c"]);
  });
});

describe("landscapes", () => {
  test("between grid points the value is bilinear, outside there is none", () => {
    expect(bilinear([0, 1, 2, 3], 2, 2, 0.5, 0.5)).toBe(1.5);
    expect(bilinear([0, 1, 2, 3], 2, 2, 2, 0)).toBeNaN();
    expect(bilinear([0, NaN, 2, 3], 2, 2, 0.5, 0.5)).toBeNaN();
  });
  test("colours: linear, logarithmic of positive losses, one colour for a plane", () => {
    expect(shareOf([1, 100], false)(50.5)).toBe(0.5);
    expect(shareOf([1, 100], true)(10)).toBeCloseTo(0.5);
    expect(shareOf([2, 2], false)(2)).toBe(0.5);
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
