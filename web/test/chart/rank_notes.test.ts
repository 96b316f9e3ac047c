import { describe, expect, test } from "vitest";
import { percent, rankNotes } from "../../src/chart/rank_notes";

describe("notes of ranks", () => {
  const notes = rankNotes({
    leaving: {
      total: 3,
      named: [
        { rank: 11, above: true, excess: 0.25, since: 301 },
        { rank: 3, above: false, excess: null, since: 1 },
        { rank: 2, above: false, excess: -0.062, since: 1000, until: 2000 },
      ],
    },
    nonfinite: { total: 1, named: [{ rank: 4, since: 420 }] },
    missing: { total: 1, named: [{ rank: 9, first: 1, last: 700, late: false, early: true }] },
  });
  test("name rank, side, excess and step, those that came back last", () =>
    expect(notes.map(({ text }) => text)).toEqual([
      "rank 4: NaN or infinite since step 420",
      "rank 11: 25 % above the others since step 301",
      "rank 3: far below the others since step 1",
      "rank 9: ends at step 700, before the others",
      "rank 2: 6.2 % below the others from step 1,000 to 2,000",
    ]));
  test("are short numbers", () =>
    expect([0.004, 0.25, 12.5].map(percent)).toEqual(["0.4 %", "25 %", "1,250 %"]));
});
