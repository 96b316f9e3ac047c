// The colors of the groups that means are drawn of.
import { formatCount, naturally } from "../core/format";
import { groupOfRun, selection, slotsOfGroups } from "../core/model";
import { useStore } from "../core/store";
import { useText } from "../core/text";
import { view } from "../core/view";
import { Swatch } from "../widgets/swatch";

/** The groups of the selected runs: color, value and number of runs. Nothing without *mean by*. */
export function GroupLegend() {
  const t = useText();
  const { group } = useStore(view);
  const selected = useStore(selection);
  if (group === "") return null;
  const sizes = new Map<string, number>();
  for (const id of selected) {
    const name = groupOfRun(id, group);
    sizes.set(name, (sizes.get(name) ?? 0) + 1);
  }
  const slots = slotsOfGroups(group);
  return (
    <ul class="legend" aria-label={t("groupLegend")}>
      <li class="muted">{t("meanLegend", group)}</li>
      {[...sizes]
        .sort(([a], [b]) => naturally(a, b))
        .map(([name, size]) => (
          <li key={name}>
            <Swatch slot={slots.of(name)} /> {name}{" "}
            <span class="muted">
              {size === 1 ? t("oneRun") : t("severalRuns", formatCount(size))}
            </span>
          </li>
        ))}
    </ul>
  );
}
