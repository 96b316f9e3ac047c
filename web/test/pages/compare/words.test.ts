import { expect, test } from "vitest";
import type { ComparedRank, ComparedTag, Comparison } from "../../../src/core/api_compare";
import {
  evidenceOf,
  firstRank,
  sentenceOf,
  stepsWords,
  tagWords,
} from "../../../src/pages/compare/words";

const rankOf = (rank: number, more: Partial<ComparedRank> = {}): ComparedRank => ({
  rank,
  rank_b: rank,
  verdict: "alike",
  joined: 1000,
  only_in_a: 0,
  only_in_b: 0,
  beyond: 0,
  single: 0,
  ...more,
});
const leaving = (rank: number, step: number) =>
  rankOf(rank, { verdict: "leaves", leaves: { step, a: 1, b: "nan" }, mean_difference: 0.0311 });
const tagOf = (ranks: ComparedRank[], more: Partial<ComparedTag> = {}): ComparedTag => ({
  tag: "loss",
  tag_b: "loss",
  verdict: firstRank({ ranks } as ComparedTag)?.verdict ?? "too few common steps",
  ranks,
  ranks_only_in_a: [],
  ranks_only_in_b: [],
  ...more,
});
const foundOf = (verdict: Comparison["verdict"], tags: ComparedTag[]): Comparison => ({
  a: "a",
  b: "b",
  tolerance: 0.02,
  like: 0,
  verdict,
  tags,
  only_in_a: [],
  only_in_b: [],
  left_out: [],
  differences: [],
  unknown_in_a: [],
  unknown_in_b: [],
});

test("the verdict is one sentence", () => {
  const tags = [tagOf([rankOf(0)])];
  expect(sentenceOf(foundOf("alike", tags), "gpu", "npu")).toBe(
    "Alike: npu follows gpu within 2 %",
  );
  expect(sentenceOf(foundOf("not alike", tags), "gpu", "npu")).toContain("but a part is missing");
  const left = foundOf("not alike", [tagOf([rankOf(0), leaving(1, 1412)]), tagOf([rankOf(0)])]);
  expect(sentenceOf(left, "gpu", "npu")).toBe(
    "Not alike: npu leaves gpu at step 1,412, first in loss",
  );
  expect(evidenceOf(left)).toEqual([
    "tolerance 2 %",
    "tags that leave: 1 of 2",
    "NaN there, reference 1",
    "mean difference 3.11 %",
  ]);
  const noise = foundOf("alike", [tagOf([rankOf(0, { verdict: "within noise" })])]);
  expect(sentenceOf(noise, "gpu", "npu")).toContain("no further from gpu than runs of its kind");
  expect(sentenceOf(foundOf("nothing to compare", []), "gpu", "npu")).toContain("no tag in common");
  expect(sentenceOf(foundOf("nothing to compare", tags), "gpu", "npu")).toContain(
    "fewer than half",
  );
});

test("of several ranks the one that leaves first stands for the tag", () => {
  const tag = tagOf([leaving(0, 30), rankOf(1), leaving(2, 20), leaving(3, 20)], {
    ranks_only_in_a: [4, 5],
  });
  expect(firstRank(tag)?.rank).toBe(2);
  expect(tagWords(tag)).toEqual({
    verdict: "leaves at step 20",
    notes: [
      "NaN there, reference 1",
      "rank 2 first; 3 of 4 ranks leave",
      "ranks missing in B: 4, 5",
    ],
  });
  expect(tagWords(tagOf([])).verdict).toBe("no common rank");
});

test("what is beside a verdict is said", () => {
  const single = rankOf(0, { single: 2, first_single: { step: 57, a: 1, b: 2 } });
  expect(tagWords(tagOf([single])).notes).toEqual(["single steps beyond: 2, the first 57"]);
  const shifted = rankOf(0, { verdict: "too few common steps", alike_if_shifted: -1 });
  expect(tagWords(tagOf([shifted])).notes).toEqual(["alike if -1 is added to the steps of B"]);
  expect(stepsWords(rankOf(0))).toBe("1,000");
  expect(stepsWords(rankOf(0, { only_in_a: 3 }))).toBe("1,000 (only in A 3, only in B 0)");
});
