// The tags that were compared, and the ranks of one of them.
import {
  type ComparedRank,
  type ComparedTag,
  type Comparison,
  numberIn,
} from "../../core/api_compare";
import { formatCount, formatValue, keepEnd } from "../../core/format";
import { useText } from "../../core/text";
import { useMore } from "../../widgets/more";
import { firstRank, percent, rankWords, stepsWords, tagWords } from "./words";

// Rows that are made at once.
const part = 50;
const namedAtMost = 6;

const toneOf = (verdict: ComparedTag["verdict"]) =>
  verdict === "leaves" ? "danger" : verdict === "too few common steps" ? "warning" : undefined;

/** The cells about a rank: steps in both, mean difference, last values. */
function Numbers({ rank }: { rank: ComparedRank | undefined }) {
  const { last, mean_difference: mean } = rank ?? {};
  return (
    <>
      <td>{rank ? stepsWords(rank) : "–"}</td>
      <td>{mean === undefined ? "–" : percent(numberIn(mean))}</td>
      <td>{last ? formatValue(numberIn(last.a), 6) : "–"}</td>
      <td>{last ? formatValue(numberIn(last.b), 6) : "–"}</td>
    </>
  );
}

function NumberHeads() {
  const t = useText();
  return (
    <>
      <th scope="col">{t("inBoth")}</th>
      <th scope="col">{t("meanDifference")}</th>
      <th scope="col">{t("lastInA")}</th>
      <th scope="col">{t("lastInB")}</th>
    </>
  );
}

interface Choice<T> {
  chosen: T | undefined;
  onChoose: (one: T) => void;
}

function TagRow({ tag, chosen, onChoose }: { tag: ComparedTag } & Choice<ComparedTag>) {
  const t = useText();
  const { verdict, notes } = tagWords(tag);
  const name = tag.tag === tag.tag_b ? tag.tag : t("nameInB", tag.tag, tag.tag_b);
  return (
    <tr class={tag === chosen ? "chosen" : undefined}>
      <th scope="row">
        <button
          type="button"
          class="plain"
          aria-pressed={tag === chosen}
          title={name}
          disabled={tag.ranks.length === 0}
          onClick={() => onChoose(tag)}
        >
          {keepEnd(name, 40)}
        </button>
      </th>
      <td class="text">
        <span class={toneOf(tag.verdict)}>{verdict}</span>
        {notes.length > 0 && <small class="muted">{notes.join("; ")}</small>}
      </td>
      <Numbers rank={firstRank(tag)} />
    </tr>
  );
}

export function TagTable({ found, chosen, onChoose }: { found: Comparison } & Choice<ComparedTag>) {
  const t = useText();
  const alone = [
    ...found.only_in_a.map((tag) => ({ tag, words: t("missingInB"), tone: "warning" })),
    ...found.only_in_b.map((tag) => ({ tag, words: t("onlyInB"), tone: "muted" })),
  ];
  const { shown, end } = useMore(found.tags.length + alone.length, part, "");
  const left = found.left_out;
  const named = left.slice(0, namedAtMost).join(t("listComma"));
  const more = left.length - namedAtMost;
  return (
    <section aria-label={t("tags")}>
      <div class="grid-wrap" tabIndex={0} role="region" aria-label={t("tags")}>
        <table class="data compared">
          <thead>
            <tr>
              <th scope="col">{t("tag")}</th>
              <th scope="col" class="text">
                {t("tagVerdict")}
              </th>
              <NumberHeads />
            </tr>
          </thead>
          <tbody>
            {found.tags.slice(0, shown).map((tag) => (
              <TagRow key={tag.tag} tag={tag} chosen={chosen} onChoose={onChoose} />
            ))}
            {alone.slice(0, Math.max(0, shown - found.tags.length)).map(({ tag, words, tone }) => (
              <tr key={`${words} ${tag}`}>
                <th scope="row" title={tag}>
                  {keepEnd(tag, 40)}
                </th>
                <td class="text">
                  <span class={tone}>{words}</span>
                </td>
                <Numbers rank={undefined} />
              </tr>
            ))}
          </tbody>
        </table>
        {end}
      </div>
      {left.length > 0 && (
        <p class="muted">
          {t(
            "leftOutTags",
            more > 0 ? `${named}${t("listComma")}${t("andMore", formatCount(more))}` : named,
          )}
        </p>
      )}
    </section>
  );
}

/** The ranks of a tag, if there are several. */
export function RankTable({ tag, chosen, onChoose }: { tag: ComparedTag } & Choice<ComparedRank>) {
  const t = useText();
  const { shown, end } = useMore(tag.ranks.length, part, tag.tag);
  if (tag.ranks.length < 2) return null;
  const label = t("ranksCompared", tag.tag);
  return (
    <section aria-label={label}>
      <h3>{label}</h3>
      <div class="grid-wrap ranks-compared" tabIndex={0} role="region" aria-label={label}>
        <table class="data compared">
          <thead>
            <tr>
              <th scope="col">{t("rank")}</th>
              <th scope="col" class="text">
                {t("tagVerdict")}
              </th>
              <NumberHeads />
            </tr>
          </thead>
          <tbody>
            {tag.ranks.slice(0, shown).map((rank) => (
              <tr key={rank.rank} class={rank === chosen ? "chosen" : undefined}>
                <th scope="row">
                  <button
                    type="button"
                    class="plain"
                    aria-pressed={rank === chosen}
                    onClick={() => onChoose(rank)}
                  >
                    {rank.rank === rank.rank_b
                      ? t("rankNumber", rank.rank)
                      : t("nameInB", t("rankNumber", rank.rank), rank.rank_b)}
                  </button>
                </th>
                <td class="text">
                  <span class={toneOf(rank.verdict)}>{rankWords(rank)}</span>
                </td>
                <Numbers rank={rank} />
              </tr>
            ))}
          </tbody>
        </table>
        {end}
      </div>
    </section>
  );
}
