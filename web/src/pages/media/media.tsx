// Media: every recorded image, sound and text, at any recorded step.
import { useRef } from "preact/hooks";
import { getMedium, getPlaces, type Place, type Places, type TagOfRuns } from "../../core/api";
import { recordImage } from "../../core/examples";
import { readFilter } from "../../core/filter";
import { formatCount, formatTime, keepEnd } from "../../core/format";
import { get } from "../../core/http";
import { revision, runOf, selection, slots, tags } from "../../core/model";
import { type OneSeries, seriesOf } from "../../core/series";
import { useNumber, useSetting, useSwitch } from "../../core/setting";
import { catCommand } from "../../core/shell";
import { useSize } from "../../core/size";
import { useLoaded, useStore } from "../../core/store";
import { t as text, useText } from "../../core/text";
import { useOwn, view } from "../../core/view";
import type { KindOn } from "../../core/view_state";
import { BlobAudio, BlobImage } from "../../widgets/blob_media";
import { type Against, DifferenceChoice, isRun, otherOf } from "../../widgets/difference_choice";
import { useMore } from "../../widgets/more";
import { Empty, Failed, Loading } from "../../widgets/notice";
import { placeOf, Stepper, spotOf } from "../../widgets/stepper";
import { Swatch } from "../../widgets/swatch";
import { TagFilter } from "../../widgets/tag_filter";
import { CurveCard } from "./curves";
import { ImageValue } from "./image";
import { TextValue, usePlainTexts } from "./texts";

const curvePlugin = "pr_curves";

function AudioValue({ place }: { place: Place }) {
  const { data, error } = useLoaded(JSON.stringify(place), (signal) => getMedium(place, signal));
  if (error) return <Failed error={error} />;
  return data ? <BlobAudio blob={data.blob} aria-label={place.tag} /> : <Loading />;
}

interface CardProps {
  series: OneSeries;
  together: boolean;
  style: string;
  actual: boolean;
  against: Against;
}

const stepsAtOnce = 12;

/** Some steps of a picture side by side at even distances. A click goes to a step. */
function Strip({
  series,
  places,
  at,
  style,
  onStep,
}: {
  series: OneSeries;
  places: Places;
  at: number;
  style: string;
  onStep: (index: number) => void;
}) {
  const t = useText();
  const last = places.steps.length - 1;
  const shown = [
    ...new Set(
      Array.from({ length: Math.min(stepsAtOnce, last + 1) }, (_, i) =>
        Math.round((i * last) / Math.max(1, Math.min(stepsAtOnce, last + 1) - 1)),
      ),
    ),
  ];
  return (
    <div class="strip-of-steps" role="group" aria-label={t("shownSteps", shown.length, last + 1)}>
      {shown.map((index) => (
        <button
          key={index}
          type="button"
          class="plain"
          aria-pressed={index === at}
          aria-label={t("stepAt", formatCount(places.steps[index]!))}
          onClick={() => onStep(index)}
        >
          <Thumb
            place={{
              run: series.run,
              kind: series.kind,
              tag: series.tag,
              rank: series.rank,
              at: places.at[index]!,
            }}
            style={style}
          />
          <span>{formatCount(places.steps[index]!)}</span>
        </button>
      ))}
    </div>
  );
}

function Thumb({ place, style }: { place: Place; style: string }) {
  const { data } = useLoaded(JSON.stringify(place), (signal) => getMedium(place, signal));
  return data ? <BlobImage blob={data.blob} alt="" style={{ filter: style }} /> : <i />;
}

function MediaCard({ series, together, style, actual, against }: CardProps) {
  const { kind, tag, run, rank } = series;
  const held = useStore(slots);
  const rounds = useStore(revision);
  const [{ step: shared, lens: shown, strip }, change] = useOwn("media");
  const key = `${tag}\n${run}\n${rank}`;
  const lens = shown === key;
  const box = useRef<HTMLElement>(null);
  const { seen } = useSize(box);
  const [own, setOwn] = useSetting(`step ${tag} ${run} ${rank}`);
  const { data: places, error } = useLoaded(
    seen ? `${kind} ${tag} ${run} ${rank} ${rounds}` : "",
    (signal) => getPlaces({ run, kind, tag, rank }, signal),
  );
  const at = places ? placeOf(places.steps, together ? shared : own) : -1;
  const step = (index: number) => {
    if (places?.steps[index] === undefined) return;
    const next = spotOf(places.steps, index);
    if (together) change({ step: next }, true);
    else setOwn(next);
  };
  const name = runOf(run)?.name ?? run;
  const ofRun = isRun(against, run) && kind === "image";
  const its = useLoaded(seen && ofRun ? `${tag} ${against} ${rank} ${rounds}` : "", (signal) =>
    getPlaces({ run: against, kind, tag, rank }, signal),
  );
  const place: Place | null =
    places && at >= 0 ? { run, kind, tag, rank, at: places.at[at]! } : null;
  return (
    <article
      class={`card${lens ? " full" : ""}`}
      ref={box}
      aria-label={`${tag}, ${name}`}
      onKeyDown={(event) => {
        if (event.target instanceof HTMLInputElement || event.target instanceof HTMLAudioElement)
          return;
        if (event.key === "ArrowLeft") step(at - 1);
        else if (event.key === "ArrowRight") step(at + 1);
        else return;
        event.preventDefault();
      }}
    >
      <header>
        <Swatch slot={held.get(run)} />
        <span title={name}>
          {keepEnd(name, 30)}
          {series.several ? ` #${rank}` : ""}
        </span>
      </header>
      {error && !places && <Failed error={error} />}
      {!places && !error && <Loading />}
      {place && kind === "image" && (
        <ImageValue
          place={place}
          other={otherOf(series, places!, at, against, its.data)}
          style={style}
          actual={actual}
          lens={lens}
          onLens={() => change({ lens: lens ? "" : key })}
        />
      )}
      {place && kind === "image" && strip && (
        <Strip series={series} places={places!} at={at} style={style} onStep={step} />
      )}
      {place && kind === "plugin" && <CurveCard place={place} slot={held.get(run) ?? 0} />}
      {place && kind === "audio" && <AudioValue place={place} />}
      {place && kind === "text" && <TextValue place={place} />}
      {places && places.steps.length > 1 && (
        <Stepper places={places} at={at} label={`${tag}, ${name}`} onStep={step} />
      )}
      {places && places.steps.length === 1 && (
        <p class="muted">{text("stepAt", formatCount(places.steps[0]!))}</p>
      )}
      {places && <span class="hidden-text">{formatTime(places.times[at] ?? NaN)}</span>}
    </article>
  );
}

/** Tags of plugins with their plugin's name and the directory of a run that has them. */
function usePlugins(
  plugins: readonly TagOfRuns[],
): ReadonlyMap<string, { plugin: string; directory: string }> {
  const runs = [...new Set(plugins.flatMap((tag) => tag.runs))].slice(0, 20);
  const { data } = useLoaded(plugins.length > 0 ? runs.join("\n") : "", async (signal) => {
    const all = await Promise.all(runs.map((run) => get("run", { run: run }, signal)));
    return new Map(
      all.flatMap((run) =>
        run.tags
          .filter((tag) => tag.kind === "plugin")
          .map((tag) => [tag.tag, { plugin: tag.plugin ?? "", directory: run.directory }] as const),
      ),
    );
  });
  return data ?? new Map();
}

const titles = {
  image: "images",
  audio: "audio",
  text: "texts",
  plugin: "curves",
} as const satisfies Record<KindOn<"media">, string>;

export function Media() {
  const t = useText();
  const { list, loaded } = useStore(tags);
  const selected = useStore(selection);
  const { filter } = useStore(view);
  const [{ together, against, strip, lens }, change] = useOwn("media");
  const [brightness, setBrightness] = useNumber("brightness", 100);
  const [contrast, setContrast] = useNumber("contrast", 100);
  const [actual, setActual] = useSwitch("actual");
  const [plain, setPlain] = usePlainTexts();
  const plugins = usePlugins(list.filter((tag) => tag.kind === "plugin"));
  const rule = readFilter(filter);
  const media = Object.keys(titles).flatMap((kind) =>
    list.filter(
      (tag) =>
        tag.kind === kind && (kind !== "plugin" || plugins.get(tag.tag)?.plugin === curvePlugin),
    ),
  );
  const others = list.filter(
    (tag) =>
      tag.kind === "plugin" && plugins.has(tag.tag) && plugins.get(tag.tag)!.plugin !== curvePlugin,
  );
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
      <div class="bar" role="group" aria-label={t("media")}>
        <TagFilter error={rule.error} />
        <button
          type="button"
          aria-pressed={together}
          onClick={() => change({ together: !together })}
        >
          {t("oneSlider")}
        </button>
        <button type="button" aria-pressed={strip} onClick={() => change({ strip: !strip })}>
          {t("manySteps")}
        </button>
        <button type="button" aria-pressed={actual} onClick={() => setActual(!actual)}>
          {t("actualSize")}
        </button>
        {media.some(({ kind }) => kind === "text") && (
          <button type="button" aria-pressed={plain} onClick={() => setPlain(!plain)}>
            {t("asRecorded")}
          </button>
        )}
        <DifferenceChoice
          against={against}
          selected={selected}
          onChange={(next) => change({ against: next })}
        />
        <label>
          {t("brightness")}
          <input
            type="range"
            min="10"
            max="300"
            value={brightness}
            onInput={(event) => setBrightness(Number(event.currentTarget.value))}
            onDblClick={() => setBrightness(100)}
          />
        </label>
        <label>
          {t("contrast")}
          <input
            type="range"
            min="10"
            max="300"
            value={contrast}
            onInput={(event) => setContrast(Number(event.currentTarget.value))}
            onDblClick={() => setContrast(100)}
          />
        </label>
      </div>
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
      {others.length > 0 && (
        <section aria-label={t("notShown")}>
          <div class="group">
            <h2>{t("notShown")}</h2>
            <span class="muted">{t("notShownHow")}</span>
          </div>
          <table class="data others">
            <tbody>
              {others.map((tag) => (
                <tr key={tag.tag}>
                  <td class="mono">{tag.tag}</td>
                  <td>{plugins.get(tag.tag)!.plugin}</td>
                  <td class="mono">{catCommand(tag.tag, plugins.get(tag.tag)!.directory)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}
