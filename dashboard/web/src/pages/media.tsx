// Media: every recorded image, sound and text, at any recorded step.
import { useEffect, useRef, useState } from "preact/hooks";
import { getBlob, getPlaces, getValue, type Place, type TagOfRuns } from "../api";
import { saveBlob, fileName } from "../chart/save";
import { useSize } from "../chart/size";
import { formatCount, formatTime, keepEnd } from "../format";
import { revision, runOf, selection, slots, tags } from "../model";
import { IconButton } from "../parts/icons";
import { useMore } from "../parts/more";
import { Empty, Failed, Loading } from "../parts/notice";
import { Swatch } from "../parts/runs_table";
import { placeOf, Stepper } from "../parts/stepper";
import { TagFilter } from "../parts/tag_filter";
import { useLoaded, useStore } from "../store";
import { useText } from "../text";
import { setView, view } from "../view";
import { readFilter } from "./filter";

const kinds = ["image", "audio", "text"] as const;
export const recordImage = `recorder.add_image("input", pixels, step=step)  # height x width x channels`;

export interface OneSeries { kind: string; tag: string; run: string; rank: number; several: boolean }

/** Each series of a tag by itself: a card shows one. */
export function seriesOf(tag: TagOfRuns, selected: readonly string[]): OneSeries[] {
  const has = new Set(tag.runs);
  const several = tag.ranks.length > 1;
  return selected.filter((run) => has.has(run)).flatMap((run) => tag.ranks.map((rank) => ({ kind: tag.kind, tag: tag.tag, run, rank, several })));
}

/** The address of bytes that were fetched with the token; it is given up when it is no longer shown. */
function useBlobAddress(blob: Blob | null): string {
  const [address, setAddress] = useState("");
  useEffect(() => {
    if (!blob) return;
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return address;
}

function ImageValue({ place, look, actual }: { place: Place; look: string; actual: boolean }) {
  const t = useText();
  const { data, error } = useLoaded(JSON.stringify(place), (signal) => getBlob(place, signal));
  const address = useBlobAddress(data?.blob ?? null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  if (error) return <Failed error={error} />;
  const title = `${place.tag}, ${t("stepAt", formatCount(Number(data?.headers.get("X-Sightline-Step") ?? 0)))}`;
  return (
    <>
      <div class={`picture${actual ? " actual" : ""}`} tabIndex={actual ? 0 : -1} role="group" aria-label={title}>
        {address && (
          <img src={address} alt={title} class={actual ? "" : "fit"} style={{ filter: look }}
            onLoad={(event) => setSize({ width: event.currentTarget.naturalWidth, height: event.currentTarget.naturalHeight })} />
        )}
      </div>
      <p class="muted">
        {size.width > 0 && t("pixels", size.width, size.height)}{" "}
        <IconButton name="download" label={`${t("savePng")}: ${title}`} disabled={!data} onClick={() => saveBlob(fileName(place.tag, data!.blob.type.split("/")[1] ?? "png"), data!.blob)} />
      </p>
    </>
  );
}

function AudioValue({ place }: { place: Place }) {
  const { data, error } = useLoaded(JSON.stringify(place), (signal) => getBlob(place, signal));
  const address = useBlobAddress(data?.blob ?? null);
  if (error) return <Failed error={error} />;
  return <audio controls src={address || undefined} aria-label={place.tag} />;
}

function TextValue({ place }: { place: Place }) {
  const { data, error } = useLoaded(JSON.stringify(place), (signal) => getValue<{ texts: string[] }>(place, signal));
  if (error) return <Failed error={error} />;
  return <pre class="recorded" tabIndex={0} aria-label={place.tag}>{data?.texts.join("\n") ?? "…"}</pre>;
}

interface CardProps { series: OneSeries; together: boolean; look: string; actual: boolean }

function MediaCard({ series, together, look, actual }: CardProps) {
  const { kind, tag, run, rank } = series;
  const held = useStore(slots);
  const rounds = useStore(revision);
  const shared = useStore(view).step;
  const box = useRef<HTMLElement>(null);
  const seen = useRef(false);
  const { visible } = useSize(box);
  seen.current ||= visible;
  const [own, setOwn] = useState<number | null>(null);
  const { data: places, error } = useLoaded(seen.current ? `${kind} ${tag} ${run} ${rank} ${rounds}` : "", (signal) => getPlaces({ run, kind, tag, rank }, signal));
  const at = places ? placeOf(places.steps, together ? shared : own) : -1;
  const step = (index: number) => {
    const next = places?.steps[index];
    if (next === undefined) return;
    if (together) setView({ step: next }, true);
    else setOwn(next);
  };
  const name = runOf(run)?.name ?? run;
  const place: Place | null = places && at >= 0 ? { run, kind, tag, rank, at: places.at[at]! } : null;
  return (
    <article class="card" ref={box} aria-label={`${tag}, ${name}`}
      onKeyDown={(event) => {
        if (event.target instanceof HTMLInputElement || event.target instanceof HTMLAudioElement) return;
        if (event.key === "ArrowLeft") step(at - 1);
        else if (event.key === "ArrowRight") step(at + 1);
        else return;
        event.preventDefault();
      }}>
      <header><Swatch slot={held.get(run)} /><span title={name}>{keepEnd(name, 30)}{series.several ? ` #${rank}` : ""}</span></header>
      {error && !places && <Failed error={error} />}
      {!places && !error && <Loading />}
      {place && kind === "image" && <ImageValue place={place} look={look} actual={actual} />}
      {place && kind === "audio" && <AudioValue place={place} />}
      {place && kind === "text" && <TextValue place={place} />}
      {places && places.steps.length > 0 && <Stepper places={places} at={at} label={`${tag}, ${name}`} onStep={step} />}
      {places && <span class="hidden-text">{formatTime(places.times[at] ?? NaN)}</span>}
    </article>
  );
}

export function Media() {
  const t = useText();
  const { list, loaded } = useStore(tags);
  const selected = useStore(selection);
  const { filter, mode } = useStore(view);
  const [brightness, setBrightness] = useState(100);
  const [contrast, setContrast] = useState(100);
  const [actual, setActual] = useState(false);
  const rule = readFilter(filter);
  const together = mode === "one";
  const media = kinds.flatMap((kind) => list.filter((tag) => tag.kind === kind));
  const matching = media.filter((tag) => rule.matches(tag.tag));
  const { shown, end } = useMore(matching.length, 12, filter);
  if (!loaded) return <Loading />;
  if (media.length === 0) return <Empty title={t("noMedia")} code={recordImage} />;
  const look = brightness === 100 && contrast === 100 ? "" : `brightness(${brightness}%) contrast(${contrast}%)`;
  return (
    <>
      <div class="bar" role="group" aria-label={t("media")}>
        <TagFilter error={rule.error} />
        <button type="button" aria-pressed={together} onClick={() => setView({ mode: together ? "" : "one" })}>{t("oneSlider")}</button>
        <button type="button" aria-pressed={actual} onClick={() => setActual(!actual)}>{t("actualSize")}</button>
        <label>{t("brightness")}<input type="range" min="10" max="300" value={brightness} onInput={(event) => setBrightness(Number(event.currentTarget.value))} onDblClick={() => setBrightness(100)} /></label>
        <label>{t("contrast")}<input type="range" min="10" max="300" value={contrast} onInput={(event) => setContrast(Number(event.currentTarget.value))} onDblClick={() => setContrast(100)} /></label>
      </div>
      {matching.length === 0 && !rule.error && <Empty title={t("noTagMatch", filter)} />}
      {matching.slice(0, shown).map((tag) => (
        <section key={`${tag.kind} ${tag.tag}`} aria-label={tag.tag}>
          <div class="group"><h2 class="mono">{tag.tag}</h2><span class="muted">{t(tag.kind === "image" ? "images" : tag.kind === "audio" ? "audio" : "texts")}</span></div>
          <div class="media">
            {seriesOf(tag, selected).map((series) => <MediaCard key={`${series.run} ${series.rank}`} series={series} together={together} look={look} actual={actual} />)}
          </div>
        </section>
      ))}
      {end}
    </>
  );
}
