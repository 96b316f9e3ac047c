// Whether a run follows another one, its reference: the verdict, the tags, what differs, and the
// curves of a tag.
import { getComparison } from "../../core/api_compare";
import { revision, runOf, selection } from "../../core/model";
import { useLoaded, useStore } from "../../core/store";
import { useText } from "../../core/text";
import { setView, useOwn, view } from "../../core/view";
import { Icon, IconButton } from "../../widgets/icons";
import { Empty, Failed, Loading } from "../../widgets/notice";
import { Differing } from "./differing";
import { PairChart } from "./pair_chart";
import { type Sides, sidesOf } from "./sides";
import { RankTable, TagTable } from "./tags";
import { evidenceOf, firstRank, sentenceOf } from "./words";

// So many runs besides the reference tell what is noise (docs/compare.md).
const likeAtLeast = 3;

const nameOf = (id: string) => runOf(id)?.name ?? id;

interface BarProps {
  sides: Sides;
  runs: readonly string[];
}

/** Chooses the runs, the tolerance and the tags. */
function Bar({ sides: { a, b, others }, runs }: BarProps) {
  const t = useText();
  const [own, setOwn] = useOwn("compare");
  const { log } = useStore(view);
  const side = (label: string, value: string, onChange: (id: string) => void) => (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {runs.map((id) => (
          <option key={id} value={id}>
            {nameOf(id)}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <div class="bar" role="group" aria-label={t("compare")}>
      {side(t("reference"), a, (id) => setOwn({ a: id, b, tag: "", rank: "" }))}
      <IconButton
        name="swap"
        label={t("swapRuns")}
        onClick={() => setOwn({ a: b, b: a, tag: "", rank: "" })}
      />
      {side(t("follower"), b, (id) => setOwn({ a, b: id, tag: "", rank: "" }))}
      <label>
        {t("tolerance")}
        <input
          type="text"
          inputMode="decimal"
          class="short"
          value={own.tolerance}
          onChange={(event) => setOwn({ tolerance: event.currentTarget.value || "2" })}
        />
      </label>
      <label>
        {t("tagsToCompare")}
        <input
          type="search"
          class="filter"
          value={own.tags}
          onChange={(event) => setOwn({ tags: event.currentTarget.value, tag: "", rank: "" })}
        />
      </label>
      <button type="button" aria-pressed={log} onClick={() => setView({ log: !log })}>
        {t("yLog")}
      </button>
      {others.length >= likeAtLeast && (
        <label title={t("otherRunsLikeHow")}>
          <input
            type="checkbox"
            checked={own.like}
            onChange={(event) => setOwn({ like: event.currentTarget.checked })}
          />
          {t("otherRunsLike", others.length)}
        </label>
      )}
    </div>
  );
}

function Found({ sides }: { sides: Sides }) {
  const t = useText();
  const { a, b, others } = sides;
  const [own, setOwn] = useOwn("compare");
  const round = useStore(revision);
  const like = own.like && others.length >= likeAtLeast ? [...others] : [];
  const query = { a, b, tag: own.tags, tolerance: `${own.tolerance}%`, like };
  const { data, error, loading } = useLoaded(JSON.stringify([query, round]), (signal) =>
    getComparison(query, signal),
  );
  if (error) return <Failed error={error} />;
  if (!data) return <Loading />;
  const tag =
    data.tags.find((one) => one.tag === own.tag && one.ranks.length > 0) ??
    data.tags.find(({ ranks }) => ranks.length > 0);
  const rank = tag && (tag.ranks.find((one) => String(one.rank) === own.rank) ?? firstRank(tag));
  const alike = data.verdict === "alike";
  const tone = alike ? "good" : data.verdict === "not alike" ? "danger" : "warning";
  return (
    <div class="compare" aria-busy={loading}>
      <section class={`verdict ${tone}`} aria-label={t("verdict")} aria-live="polite">
        <Icon name={alike ? "check" : "alert"} />
        <h2>{sentenceOf(data, nameOf(a), nameOf(b))}</h2>
        {evidenceOf(data).map((text) => (
          <span key={text} class="muted">
            {text}
          </span>
        ))}
      </section>
      <div class="compare-parts">
        <div>
          <TagTable
            found={data}
            chosen={tag}
            onChoose={(one) => setOwn({ tag: one.tag, rank: "" })}
          />
          {tag && rank && <PairChart a={a} b={b} tag={tag} rank={rank} />}
          {tag && (
            <RankTable
              tag={tag}
              chosen={rank}
              onChoose={(one) => setOwn({ tag: tag.tag, rank: String(one.rank) })}
            />
          )}
        </div>
        <Differing found={data} />
      </div>
    </div>
  );
}

export function Compare() {
  const t = useText();
  const selected = useStore(selection);
  const [{ a, b }] = useOwn("compare");
  const sides = sidesOf({ a, b }, selected, runOf);
  if (!sides) return <Empty title={t("compareTwo")} />;
  return (
    <>
      <Bar sides={sides} runs={[...new Set([...selected, sides.a, sides.b])]} />
      <Found sides={sides} />
    </>
  );
}
