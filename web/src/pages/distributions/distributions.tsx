// Distributions: a histogram tag over its steps, as ridges, overlaid, as a heat map, or as
// percentiles.
import type { Mode } from "../../chart/distribution";
import { recordHistogram } from "../../core/examples";
import { readFilter } from "../../core/filter";
import { selection, tags } from "../../core/model";
import { seriesOf } from "../../core/series";
import { useStore } from "../../core/store";
import { useText } from "../../core/text";
import { useOwn, view } from "../../core/view";
import { useMore } from "../../widgets/more";
import { Empty, Loading } from "../../widgets/notice";
import { TagFilter } from "../../widgets/tag_filter";
import { DistributionCard } from "./card";

export function Distributions() {
  const t = useText();
  const { list, loaded } = useStore(tags);
  const selected = useStore(selection);
  const { filter } = useStore(view);
  const [{ form }, setOwn] = useOwn("distributions");
  const mode: Mode = form || "ridges";
  const rule = readFilter(filter);
  const histograms = list.filter((tag) => tag.kind === "histogram");
  const matching = histograms.filter((tag) => rule.matches(tag.tag));
  const { shown, end } = useMore(matching.length, 12, filter);
  if (!loaded) return <Loading />;
  if (histograms.length === 0) return <Empty title={t("noDistributions")} code={recordHistogram} />;
  return (
    <>
      <div class="bar" role="group" aria-label={t("distributions")}>
        <TagFilter error={rule.error} />
        {(["ridges", "overlay", "heat", "percentiles"] as const).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={mode === name}
            onClick={() => setOwn({ form: name === "ridges" ? "" : name })}
          >
            {t(name)}
          </button>
        ))}
      </div>
      {matching.length === 0 && !rule.error && <Empty title={t("noTagMatch", filter)} />}
      <div class="sections">
        {matching.slice(0, shown).map((tag) => {
          const all = seriesOf(tag, selected);
          return (
            <section key={tag.tag} aria-label={tag.tag} class={all.length > 1 ? "several" : ""}>
              <div class="group">
                <h2 class="mono" title={tag.tag}>
                  {tag.tag}
                </h2>
              </div>
              <div class="cards">
                {all.map((series) => (
                  <DistributionCard
                    key={`${series.run} ${series.rank}`}
                    series={series}
                    mode={mode}
                  />
                ))}
              </div>
            </section>
          );
        })}
      </div>
      {end}
    </>
  );
}
