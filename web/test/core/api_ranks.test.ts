import { describe, expect, test } from "vitest";
import { oddRanks } from "../../src/core/api_ranks";

describe("odd ranks", () => {
  test("are those that leave or are not finite, each once", () => {
    const leaving = [
      { rank: 11, above: true, excess: 0.25, since: 301 },
      { rank: 4, above: false, excess: null, since: 5, until: 30 },
    ];
    const nonfinite = [{ rank: 4, since: 420 }];
    const missing = [{ rank: 9, first: 1, last: 700, late: false, early: true }];
    expect(
      oddRanks({
        leaving: { total: 2, named: leaving },
        nonfinite: { total: 1, named: nonfinite },
        missing: { total: 1, named: missing },
      }),
    ).toEqual([11, 4]);
  });
});
