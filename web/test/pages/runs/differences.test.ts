import { describe, expect, test } from "vitest";
import type { LineageValue, Run } from "../../../src/core/api";
import { differencesOf } from "../../../src/pages/runs/differences";

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
