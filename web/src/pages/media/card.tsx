// A card of the page Media: the values of one tag of one run, at one of their steps.
import { useRef } from "preact/hooks";
import { getMedium, getPlaces, type Place, type Places } from "../../core/api";
import { formatCount, formatTime, keepEnd } from "../../core/format";
import { revision, runOf, slots } from "../../core/model";
import type { OneSeries } from "../../core/series";
import { useSetting } from "../../core/setting";
import { useSize } from "../../core/size";
import { useLoaded, useStore } from "../../core/store";
import { t as text, useText } from "../../core/text";
import { useOwn } from "../../core/view";
import { BlobAudio, BlobImage } from "../../widgets/blob_media";
import { type Against, isRun, otherOf } from "../../widgets/difference_choice";
import { Failed, Loading } from "../../widgets/notice";
import { placeOf, Stepper, spotOf } from "../../widgets/stepper";
import { Swatch } from "../../widgets/swatch";
import { CurveCard } from "./curves";
import { ImageValue } from "./image";
import { TextValue } from "./texts";

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

export function MediaCard({ series, together, style, actual, against }: CardProps) {
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
