import { describe, expect, test } from "vitest";
import type { LineageValue } from "../../../src/core/api";
import { randomOf } from "../../../src/pages/lineage/forest";
import { importanceOf, ranksOf, runsAtLeast } from "../../../src/pages/lineage/importance";

const columns = [
  { key: "lr", numeric: true },
  { key: "optimizer", numeric: false },
  { key: "batch", numeric: true },
  { key: "width", numeric: true },
  { key: "seed", numeric: true },
  { key: "augment", numeric: false },
  { key: "loss", numeric: true },
];

const optimizers = ["adam", "sgd", "lamb"];

/** Runs whose loss hangs on what `effect` says, with noise of a third of its spread. */
function tableOf(
  seed: number,
  runs: number,
  effect: (lr: number, optimizer: string, width: number) => number,
) {
  const random = randomOf(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const drawn = Array.from({ length: runs }, () => {
    const lr = 10 ** (-4 + 3 * random());
    const optimizer = optimizers[Math.floor(3 * random())]!;
    const width = 2 ** Math.floor(4 + 5 * random());
    const others: LineageValue[] = [
      lr,
      optimizer,
      [16, 32, 64][Math.floor(3 * random())]!,
      width,
      Math.floor(1000 * random()),
      random() < 0.5 ? "yes" : "no",
    ];
    return { others, clean: effect(lr, optimizer, width) };
  });
  const mean = drawn.reduce((sum, { clean }) => sum + clean, 0) / runs;
  const spread = Math.sqrt(drawn.reduce((sum, { clean }) => sum + (clean - mean) ** 2, 0) / runs);
  return drawn.map(({ others, clean }) => ({
    values: [...others, clean + (spread / 3) * normal()],
  }));
}

const effects: Record<
  string,
  [string[], (lr: number, optimizer: string, width: number) => number]
> = {
  "the larger the better": [["lr"], (lr) => -Math.log10(lr)],
  "a best value in the middle": [["lr"], (lr) => (Math.log10(lr) + 2.5) ** 2],
  "one of three names": [["optimizer"], (_, optimizer) => (optimizer === "sgd" ? 1 : 0)],
  "two parameters": [["lr", "width"], (lr, _, width) => Math.log10(lr) + 0.6 * Math.log2(width)],
};

describe("importance of parameters", () => {
  test.each(Object.entries(effects))(
    "planted: %s; found first in 95 of 100 tables",
    async (_, [planted, effect]) => {
      let found = 0;
      for (let seed = 1; seed <= 100; seed++) {
        const { parameters } = await importanceOf(columns, tableOf(seed, 60, effect), 6);
        const first = parameters!.slice(0, planted.length).map(({ key }) => key);
        if (planted.every((key) => first.includes(key))) found++;
      }
      expect(found).toBeGreaterThanOrEqual(95);
    },
    120000,
  );
  test("fewer than 20 runs with an objective are refused", async () => {
    const rows = tableOf(1, 40, (lr) => lr).map((row, i) =>
      i < runsAtLeast - 1 ? row : { values: [...row.values.slice(0, 6), null] },
    );
    expect(await importanceOf(columns, rows, 6)).toEqual({ runs: 19, parameters: null });
  });
  test("names have no correlation; what never changes is left out; the same table gives the same answer", async () => {
    const rows = tableOf(3, 30, (lr) => Math.log(lr)).map((row) => ({
      values: row.values.map((value, i) => (i === 5 ? "yes" : value)),
    }));
    const { runs, parameters } = await importanceOf(columns, rows, 6);
    expect(runs).toBe(30);
    expect(parameters!.map(({ key }) => key)).not.toContain("augment");
    expect(parameters!.find(({ key }) => key === "optimizer")!.correlation).toBeNull();
    expect(parameters!.find(({ key }) => key === "lr")!.correlation).toBeGreaterThan(0.8);
    expect(await importanceOf(columns, rows, 6)).toEqual({ runs, parameters });
  });
  test("missing values and one run far astray do not break it", async () => {
    const rows = tableOf(5, 40, (lr) => Math.log(lr)).map((row, i) => ({
      values: row.values.map((value, k) =>
        i === 0 && k === 6 ? 1e30 : i % 5 === 0 && k === 0 ? null : value,
      ),
    }));
    const { parameters } = await importanceOf(columns, rows, 6);
    expect(parameters![0]!.key).toBe("lr");
    for (const { permutation } of parameters!) expect(Number.isFinite(permutation)).toBe(true);
  });
  test("equal values share a rank", () => {
    expect([...ranksOf([5, 1, 5, NaN])]).toEqual([0.75, 0, 0.75, NaN]);
  });
});
