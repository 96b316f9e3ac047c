// What a comparison found, in words.
import {
  type ComparedRank,
  type ComparedTag,
  type Comparison,
  numberIn,
} from "../../core/api_compare";
import { formatCount, formatValue } from "../../core/format";
import { t } from "../../core/text";

/** "2 %" */
export const percent = (share: number) => `${formatValue(share * 100, 3)} %`;

const gravity = ["alike", "within noise", "too few common steps", "leaves"];

function isBefore(one: ComparedRank, other: ComparedRank): boolean {
  const [x, y] = [gravity.indexOf(one.verdict), gravity.indexOf(other.verdict)];
  if (x !== y) return x > y;
  return one.verdict === "leaves" && (one.leaves?.step ?? 0) < (other.leaves?.step ?? 0);
}

/** The rank that leaves first, or else the worst one. */
export function firstRank(tag: ComparedTag): ComparedRank | undefined {
  return tag.ranks.reduce<ComparedRank | undefined>(
    (first, rank) => (first === undefined || isBefore(rank, first) ? rank : first),
    undefined,
  );
}

const leavingIn = (tags: readonly ComparedTag[]) =>
  tags.filter(({ verdict }) => verdict === "leaves").length;

/** The verdict in one sentence; `a` and `b` are the names of the runs. */
export function sentenceOf(found: Comparison, a: string, b: string): string {
  const { tags } = found;
  if (found.verdict === "nothing to compare")
    return t(tags.length === 0 ? "noCommonTag" : "noCommonSteps");
  if (found.verdict === "alike") {
    const noisy = tags.some(({ verdict }) => verdict === "within noise");
    return noisy ? t("followsNoise", b, a) : t("followsWithin", b, a, percent(found.tolerance));
  }
  const [first] = tags;
  const at = first && firstRank(first)?.leaves;
  if (!first || !at || first.verdict !== "leaves") return t("lacksSome", b, a);
  return t("leavesFirst", b, a, formatCount(at.step), first.tag);
}

/** What the sentence stands on. */
export function evidenceOf(found: Comparison): string[] {
  const { tags } = found;
  const [first] = tags;
  const rank = first && firstRank(first);
  const texts = [t("toleranceIs", percent(found.tolerance))];
  if (found.like > 0) texts.push(t("likeRuns", found.like));
  if (tags.length > 0)
    texts.push(t("leavingTags", formatCount(leavingIn(tags)), formatCount(tags.length)));
  if (rank?.verdict === "leaves" && rank.leaves) texts.push(valuesAt(rank));
  if (rank?.mean_difference !== undefined)
    texts.push(`${t("meanDifference")} ${percent(numberIn(rank.mean_difference))}`);
  return texts;
}

function valuesAt({ leaves }: ComparedRank): string {
  if (!leaves) return "";
  const [a, b] = [numberIn(leaves.a), numberIn(leaves.b)];
  return t("valuesThere", formatValue(b, 6), formatValue(a, 6));
}

/** The verdict on one rank. */
export function rankWords(rank: ComparedRank): string {
  switch (rank.verdict) {
    case "alike":
      return t("alike");
    case "within noise":
      return t("withinNoise");
    case "too few common steps":
      return t("tooFewSteps");
    case "leaves":
      return t("leavesAt", formatCount(rank.leaves?.step ?? 0));
  }
}

/** The verdict on a tag, and what is to be said beside it. */
export function tagWords(tag: ComparedTag): { verdict: string; notes: string[] } {
  const first = firstRank(tag);
  if (!first) return { verdict: t("noCommonRank"), notes: [] };
  const notes: string[] = [];
  if (first.verdict === "leaves") notes.push(valuesAt(first));
  if (first.verdict === "leaves" && tag.ranks.length > 1) {
    const leaving = tag.ranks.filter(({ verdict }) => verdict === "leaves").length;
    notes.push(t("leavingRanks", leaving, tag.ranks.length, first.rank));
  }
  const single = tag.ranks.reduce((sum, rank) => sum + rank.single, 0);
  const step = tag.ranks.find(({ first_single }) => first_single)?.first_single?.step;
  if (step !== undefined) notes.push(t("singleSteps", formatCount(single), formatCount(step)));
  if (tag.ranks_only_in_a.length > 0)
    notes.push(t("ranksMissing", tag.ranks_only_in_a.join(t("listComma"))));
  if (first.alike_if_shifted !== undefined) notes.push(t("alikeIfShifted", first.alike_if_shifted));
  return { verdict: rankWords(first), notes };
}

/** How many steps are compared. */
export function stepsWords({ joined, only_in_a, only_in_b }: ComparedRank): string {
  const steps = formatCount(joined);
  if (only_in_a === 0 && only_in_b === 0) return steps;
  return t("onlyInSteps", steps, formatCount(only_in_a), formatCount(only_in_b));
}
