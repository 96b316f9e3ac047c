// The colors of the groups that means are drawn of, and of the curves of one chart.
import { formatCount, naturally } from "../core/format";
import {
  eachRank,
  groupOfRank,
  ranksOf,
  selection,
  slotsOfGroups,
  wholeSelection,
} from "../core/model";
import { useStore } from "../core/store";
import { t as text, useText } from "../core/text";
import { view } from "../core/view";
import { Swatch } from "../widgets/swatch";
import { curveKey } from "./chart_lines";
import type { Line } from "./line";

const shownAtMost = 30;

/** What runs are grouped by, in words. */
export function groupText(group: string): string {
  if (group === wholeSelection) return text("selectedRuns");
  return group === eachRank ? text("rank") : group;
}

/** The groups of the selected runs: color, value and number of runs. Nothing without *mean by*. */
export function GroupLegend() {
  const t = useText();
  const { group } = useStore(view);
  const selected = useStore(selection);
  if (group === "") return null;
  const sizes = new Map<string, number>();
  for (const id of selected) {
    const ranks = group === eachRank ? ranksOf(id) : [0];
    for (const rank of ranks) {
      const name = groupOfRank(id, rank, group);
      sizes.set(name, (sizes.get(name) ?? 0) + 1);
    }
  }
  const slotOf = slotsOfGroups(group);
  const more = sizes.size - shownAtMost;
  return (
    <ul class="legend" aria-label={t("groupLegend")}>
      <li class="muted">{t("meanLegend", groupText(group))}</li>
      {[...sizes]
        .sort(([a], [b]) => naturally(a, b))
        .slice(0, shownAtMost)
        .map(([name, size]) => (
          <li key={name}>
            <Swatch slot={slotOf(name)} /> {name}{" "}
            <span class="muted">
              {size === 1 ? t("oneRun") : t("severalRuns", formatCount(size))}
            </span>
          </li>
        ))}
      {more > 0 && <li class="muted">{t("andMore", formatCount(more))}</li>}
    </ul>
  );
}

const curvesShown = 12;

/**
 * The curves of a main tag. The colors are theirs in a chart of one run or group, or else its dashes
 * are.
 */
export function CurveLegend(props: {
  tag: string;
  curves: readonly string[];
  lines: readonly Line[];
}) {
  const { tag, curves, lines } = props;
  const t = useText();
  const slots = new Map<number, Set<number>>();
  for (const { curve, slot, inBand } of lines)
    if (curve && !inBand) slots.set(curve.place, (slots.get(curve.place) ?? new Set()).add(slot));
  const one = [...slots.values()].every(({ size }) => size === 1);
  const more = curves.length - curvesShown;
  return (
    <ul class="legend curves" aria-label={t("curvesOf", tag)}>
      {curves.slice(0, curvesShown).map((curve, place) => (
        <li key={curve} title={curve}>
          {one ? (
            <Swatch slot={[...(slots.get(place) ?? [])][0]} />
          ) : (
            <Swatch slot={10 * place} plain />
          )}{" "}
          {curveKey(curve, tag)}
        </li>
      ))}
      {more > 0 && <li title={curves.join("\n")}>{t("andMore", formatCount(more))}</li>}
    </ul>
  );
}
