// Media: every recorded image, sound and text, at any recorded step.
import { recordImage } from "../../core/examples";
import { readFilter } from "../../core/filter";
import { selection, tags } from "../../core/model";
import { isDrawn } from "../../core/plugins";
import { seriesOf } from "../../core/series";
import { useNumber, useSwitch } from "../../core/setting";
import { useStore } from "../../core/store";
import { useText } from "../../core/text";
import { useOwn, view } from "../../core/view";
import type { KindOn } from "../../core/view_state";
import { DifferenceChoice } from "../../widgets/difference_choice";
import { useMore } from "../../widgets/more";
import { Empty, Loading } from "../../widgets/notice";
import { TagFilter } from "../../widgets/tag_filter";
import { MediaCard } from "./card";
import { OtherTags } from "./others";
import { usePlainTexts } from "./texts";

const titles = {
  image: "images",
  audio: "audio",
  text: "texts",
  plugin: "curves",
} as const satisfies Record<KindOn<"media">, string>;

/** How images are shown: brightness, contrast, and their own size. */
function useLook() {
  const [brightness, setBrightness] = useNumber("brightness", 100);
  const [contrast, setContrast] = useNumber("contrast", 100);
  const [actual, setActual] = useSwitch("actual");
  return { brightness, setBrightness, contrast, setContrast, actual, setActual };
}

function Slider({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number;
  onChange: (value: number) => void;
}) {
  return (
    <label>
      {label}
      <input
        type="range"
        min="10"
        max="300"
        value={value}
        onInput={(event) => onChange(Number(event.currentTarget.value))}
        onDblClick={() => onChange(100)}
      />
    </label>
  );
}

function Controls({ error, texts }: { error: string; texts: boolean }) {
  const t = useText();
  const selected = useStore(selection);
  const [{ together, against, strip }, change] = useOwn("media");
  const look = useLook();
  const [plain, setPlain] = usePlainTexts();
  const toggle = (label: string, pressed: boolean, press: () => void) => (
    <button type="button" aria-pressed={pressed} onClick={press}>
      {label}
    </button>
  );
  return (
    <div class="bar" role="group" aria-label={t("media")}>
      <TagFilter error={error} />
      {toggle(t("oneSlider"), together, () => change({ together: !together }))}
      {toggle(t("manySteps"), strip, () => change({ strip: !strip }))}
      {toggle(t("actualSize"), look.actual, () => look.setActual(!look.actual))}
      {texts && toggle(t("asRecorded"), plain, () => setPlain(!plain))}
      <DifferenceChoice
        against={against}
        selected={selected}
        onChange={(next) => change({ against: next })}
      />
      <Slider label={t("brightness")} value={look.brightness} onChange={look.setBrightness} />
      <Slider label={t("contrast")} value={look.contrast} onChange={look.setContrast} />
    </div>
  );
}

export function Media() {
  const t = useText();
  const { list, loaded } = useStore(tags);
  const selected = useStore(selection);
  const { filter } = useStore(view);
  const [{ together, against, lens }] = useOwn("media");
  const { brightness, contrast, actual } = useLook();
  const rule = readFilter(filter);
  const kinds = Object.keys(titles);
  const media = kinds.flatMap((kind) => list.filter((tag) => tag.kind === kind && isDrawn(tag)));
  const others = list.filter((tag) => tag.kind === "plugin" && !isDrawn(tag));
  const matching = media.filter((tag) => rule.matches(tag.tag));
  const { shown, end } = useMore(matching.length, 12, filter);
  if (!loaded) return <Loading />;
  if (media.length + others.length === 0) return <Empty title={t("noMedia")} code={recordImage} />;
  const style =
    brightness === 100 && contrast === 100
      ? ""
      : `brightness(${brightness}%) contrast(${contrast}%)`;
  return (
    <>
      <Controls error={rule.error} texts={media.some(({ kind }) => kind === "text")} />
      {matching.length === 0 && media.length > 0 && !rule.error && (
        <Empty title={t("noTagMatch", filter)} />
      )}
      <div class="sections">
        {matching.slice(0, shown).map((tag) => {
          const series = seriesOf(tag, selected);
          const wide = series.length > 1 || lens.startsWith(`${tag.tag}\n`);
          return (
            <section
              key={`${tag.kind} ${tag.tag}`}
              aria-label={tag.tag}
              class={wide ? "several" : ""}
            >
              <div class="group">
                <h2 class="mono" title={tag.tag}>
                  {tag.tag}
                </h2>
                <span class="muted">{t(titles[tag.kind as keyof typeof titles])}</span>
              </div>
              <div class="media">
                {series.map((one) => (
                  <MediaCard
                    key={`${one.run} ${one.rank}`}
                    series={one}
                    together={together}
                    style={style}
                    actual={actual}
                    against={against}
                  />
                ))}
              </div>
            </section>
          );
        })}
      </div>
      {end}
      {others.length > 0 && <OtherTags tags={others} />}
    </>
  );
}
