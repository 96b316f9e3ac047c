// Loss landscapes: filled contours or a surface, with the path of the training.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { drawContours, type Field, lossAt } from "../../chart/contours";
import { prepare } from "../../chart/draw";
import { drawLandscapeLine, isLine, upTo } from "../../chart/landscape_line";
import { cellsTurning, drawSurface, type Surface, type Turn } from "../../chart/surface";
import { getLandscape, type Landscape, type LandscapeName } from "../../core/api";
import { hueChannels, theme } from "../../core/colors";
import { computeLandscape } from "../../core/examples";
import { exactValue, formatCount, formatValue } from "../../core/format";
import { get } from "../../core/http";
import { revision, runOf, selection, slots } from "../../core/model";
import { fileName, savePng } from "../../core/save";
import { useNumber, useSetting, useSwitch } from "../../core/setting";
import { useSize } from "../../core/size";
import { useEvent, useLoaded, useStore } from "../../core/store";
import { useText } from "../../core/text";
import { nextTurn } from "../../core/turns";
import { useOwn } from "../../core/view";
import { IconButton } from "../../widgets/icons";
import { Empty, Failed, Loading } from "../../widgets/notice";
import { Swatch } from "../../widgets/swatch";

const runsShown = 6;
const rowsShown = 40;
// More surfaces in one picture would hide each other.
const togetherAtMost = 4;

interface Style {
  surface: boolean;
  levels: number;
  log: boolean;
}

function ValueGrid({ land }: { land: Landscape }) {
  const t = useText();
  const columns = land.x.slice(0, rowsShown);
  return (
    <div class="values" tabIndex={0} role="region" aria-label={t("showTable")}>
      <table class="data">
        <thead>
          <tr>
            <th scope="col">y \ x</th>
            {columns.map((x, i) => (
              <th key={i} scope="col">
                {formatValue(x)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {land.y.slice(0, rowsShown).map((y, j) => (
            <tr key={j}>
              <th scope="row">{formatValue(y)}</th>
              {columns.map((_, i) => (
                <td key={i} title={exactValue(land.z[j * land.x.length + i]!)}>
                  {formatValue(land.z[j * land.x.length + i]!)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// Every cell is drawn after this many milliseconds without turning.
const rest = 200;

/**
 * Draws a few cells at once, and all of them later in turns. Returns a function that cancels the
 * full drawing.
 */
function turnSurfaces(
  canvas: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
  all: readonly Surface[],
  width: number,
  height: number,
  turn: Turn,
  log: boolean,
): () => void {
  for (const _ of drawSurface(context, all, width, height, turn, log, cellsTurning));
  if (Math.max(...all.flatMap(({ land }) => [land.x.length, land.y.length])) - 1 <= cellsTurning)
    return () => {};
  let wanted = true;
  const finish = async () => {
    const whole = new OffscreenCanvas(canvas.width, canvas.height);
    const unseen = whole.getContext("2d")!;
    unseen.setTransform(context.getTransform());
    for (const _ of drawSurface(unseen, all, width, height, turn, log)) {
      await nextTurn();
      if (!wanted) return;
    }
    prepare(canvas, width, height);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(whole, 0, 0);
  };
  const timer = setTimeout(() => void finish(), rest);
  return () => {
    wanted = false;
    clearTimeout(timer);
  };
}

// Playing the path takes this many milliseconds.
const walk = 4000;

/** The number of points of the path to show, and the controls that set it. */
function usePath(length: number) {
  const t = useText();
  const [shown, setShown] = useState<number | null>(null);
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (!playing) return;
    const began = performance.now();
    let frame = requestAnimationFrame(function next(now) {
      const place = Math.min(length, 1 + Math.floor(((now - began) / walk) * length));
      setShown(place);
      if (place < length) frame = requestAnimationFrame(next);
      else setPlaying(false);
    });
    return () => cancelAnimationFrame(frame);
  }, [playing, length]);
  const count = Math.min(length, shown ?? length);
  const controls = length > 1 && (
    <>
      <button type="button" aria-pressed={playing} onClick={() => setPlaying(!playing)}>
        {t(playing ? "pause" : "playPath")}
      </button>
      <label>
        {t("pathUpTo")}
        <input
          type="range"
          min="1"
          max={length}
          value={count}
          onInput={(event) => {
            setPlaying(false);
            setShown(Number(event.currentTarget.value));
          }}
        />
      </label>
    </>
  );
  return { count, controls };
}

/** The elements and the state of a picture that can be turned. */
function usePicture() {
  const scheme = useStore(theme);
  const held = useStore(slots);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  return { scheme, held, box, canvas, ...useSize(box), ...useTurn() };
}

const load = ({ run, name }: Named, signal: AbortSignal) =>
  getLandscape({ run, kind: "landscape", tag: name.tag, rank: name.rank, at: name.at }, signal);

interface CardProps {
  run: string;
  name: LandscapeName;
  style: Style;
}

function LandscapeCard({ run, name, style: { surface, levels, log } }: CardProps) {
  const t = useText();
  const { scheme, held, box, canvas, width, height, turn, move, byKey } = usePicture();
  const [over, setOver] = useState<{ x: number; y: number; z: number } | null>(null);
  const [table, setTable] = useState(false);
  const field = useRef<Field | null>(null);
  const { data: whole, error } = useLoaded(`${run}\n${name.tag}\n${name.at}`, (signal) =>
    load({ run, name }, signal),
  );
  const { count, controls } = usePath(whole?.path?.x.length ?? 0);
  const data = useMemo(() => whole && upTo(whole, count), [whole, count]);
  const slot = held.get(run);
  useEffect(() => {
    if (!canvas.current || !data || width === 0) return;
    const context = prepare(canvas.current, width, height);
    field.current = null;
    if (isLine(data))
      return drawLandscapeLine(context, data, width, height, log, scheme, slot ?? 0);
    if (surface)
      return turnSurfaces(
        canvas.current,
        context,
        [{ land: data, color: null }],
        width,
        height,
        turn,
        log,
      );
    field.current = drawContours(context, data, width, height, levels, log, {
      start: t("pathStart"),
      end: t("pathEnd"),
    });
  }, [canvas, data, width, height, surface, levels, log, turn, scheme, slot, table, t]);
  const title = runOf(run)?.name ?? run;
  return (
    <article class="card full" aria-label={`${t("landscape")}, ${title}`}>
      <header>
        <Swatch slot={slot} />
        <h2>{title}</h2>
        <span class="muted">
          {name.tag}, {t("stepAt", formatCount(name.step))}, {t("grid", name.nx, name.ny)}
          {name.decomposition ? `, ${name.decomposition}` : ""}
        </span>
        <span class="end">
          {over && (
            <span role="status">
              {t("lossHere", formatValue(over.z), formatValue(over.x, 3), formatValue(over.y, 3))}
            </span>
          )}
          <IconButton
            name="table"
            label={`${table ? t("showChart") : t("showTable")}: ${title}`}
            pressed={table}
            onClick={() => setTable(!table)}
          />
          <IconButton
            name="picture"
            label={`${t("savePng")}: ${title}`}
            disabled={table}
            onClick={() => savePng(fileName(`landscape_${title}`, "png"), canvas.current!)}
          />
        </span>
      </header>
      {controls && (
        <div class="bar">
          {controls}
          {data?.path && (
            <span class="muted">
              {t(
                "pathSays",
                formatCount(data.path.intervals[count - 1] ?? count),
                data.unit || t("step"),
                formatValue(data.path.z[count - 1] ?? NaN),
              )}
            </span>
          )}
        </div>
      )}
      {error && <Failed error={error} />}
      {!data && !error && <Loading />}
      {table && data ? (
        <ValueGrid land={data} />
      ) : (
        <div class="chart" ref={box}>
          <canvas ref={canvas} aria-hidden="true" data-drawn={data ? "yes" : "no"} />
          <div
            class="surface"
            role="img"
            tabIndex={0}
            aria-label={`${t("landscape")}, ${title}. ${surface ? t("turn") : ""}`}
            onKeyDown={(event) => surface && byKey(event)}
            onPointerMove={(event) => {
              if (surface && event.buttons === 1)
                move(event.movementX * 0.01, event.movementY * 0.01);
              if (!surface && field.current && data) {
                const bounds = event.currentTarget.getBoundingClientRect();
                setOver(
                  lossAt(
                    data,
                    field.current,
                    event.clientX - bounds.left,
                    event.clientY - bounds.top,
                  ),
                );
              }
            }}
            onPointerLeave={() => setOver(null)}
          />
        </div>
      )}
    </article>
  );
}

/** The direction of view, changed by dragging and the arrow keys. */
function useTurn() {
  const [kept, keep] = useSetting("turn", "0.7_0.6");
  const [around = 0.7, up = 0.6] = kept.split("_").map(Number);
  const [turn, setTurn] = useState<Turn>({
    around: Number.isFinite(around) ? around : 0.7,
    up: Number.isFinite(up) ? up : 0.6,
  });
  // The address follows once it rests.
  const save = useEvent(() =>
    keep(`${Number(turn.around.toFixed(2))}_${Number(turn.up.toFixed(2))}`),
  );
  useEffect(() => {
    const timer = setTimeout(save, rest);
    return () => clearTimeout(timer);
  }, [turn]);
  const move = (around: number, up: number) =>
    setTurn((old) => ({
      around: old.around + around,
      up: Math.min(1.5, Math.max(0.1, old.up + up)),
    }));
  const byKey = (event: KeyboardEvent) => {
    const step = 0.12;
    if (event.key === "ArrowLeft") move(-step, 0);
    else if (event.key === "ArrowRight") move(step, 0);
    else if (event.key === "ArrowUp") move(0, step);
    else if (event.key === "ArrowDown") move(0, -step);
    else return;
    event.preventDefault();
  };
  return { turn, move, byKey };
}

interface Named {
  run: string;
  name: LandscapeName;
}

/**
 * Groups of at least two landscapes with the same kind of directions, which can share a picture.
 */
export function comparable(list: readonly Named[]): { kind: string; members: Named[] }[] {
  const kinds = new Map<string, Named[]>();
  for (const one of list) {
    if (one.name.nx > 1 && one.name.ny > 1)
      kinds.set(one.name.decomposition, [...(kinds.get(one.name.decomposition) ?? []), one]);
  }
  return [...kinds]
    .filter(([, members]) => members.length > 1)
    .map(([kind, members]) => ({ kind, members: members.slice(0, togetherAtMost) }));
}

/** Several surfaces in one picture, each in its run's colour, or in its own if a run has two. */
function TogetherCard({
  kind,
  members,
  log,
}: {
  kind: string;
  members: readonly Named[];
  log: boolean;
}) {
  const t = useText();
  const { scheme, held, box, canvas, width, height, turn, move, byKey } = usePicture();
  const distinct = new Set(members.map(({ run }) => run)).size === members.length;
  const slotOf = (i: number) => (distinct ? (held.get(members[i]!.run) ?? i) : i);
  const key = members.map(({ run, name }) => `${run}\n${name.tag}\n${name.at}`).join("\n\n");
  const { data, error } = useLoaded(key, (signal) =>
    Promise.all(members.map((one) => load(one, signal))),
  );
  const coloured = useEvent(() =>
    data!.map((land, i) => ({ land, color: hueChannels(scheme, slotOf(i)) })),
  );
  useEffect(() => {
    if (!canvas.current || !data || width === 0) return;
    const context = prepare(canvas.current, width, height);
    return turnSurfaces(canvas.current, context, coloured(), width, height, turn, log);
  }, [canvas, data, width, height, turn, log, scheme, held]);
  const names = members.map(({ run, name }) => `${runOf(run)?.name ?? run}: ${name.tag}`);
  return (
    <article class="card full" aria-label={`${t("together3d")}: ${names.join(", ")}`}>
      <header class="several">
        <h2>{kind || t("landscape")}</h2>
        {members.map(({ run, name }, i) => (
          <span key={`${run} ${name.tag}`}>
            <Swatch slot={slotOf(i)} /> {names[i]}
          </span>
        ))}
        <span class="end">
          <IconButton
            name="picture"
            label={`${t("savePng")}: ${t("together3d")}`}
            onClick={() => savePng(fileName("landscapes", "png"), canvas.current!)}
          />
        </span>
      </header>
      {error && <Failed error={error} />}
      {!data && !error && <Loading />}
      <div class="chart" ref={box}>
        <canvas ref={canvas} aria-hidden="true" data-drawn={data ? "yes" : "no"} />
        <div
          class="surface"
          role="img"
          tabIndex={0}
          aria-label={`${names.join(", ")}. ${t("turn")}`}
          onKeyDown={byKey}
          onPointerMove={(event) =>
            event.buttons === 1 && move(event.movementX * 0.01, event.movementY * 0.01)
          }
        />
      </div>
    </article>
  );
}

export function Landscapes() {
  const t = useText();
  const selected = useStore(selection);
  const rounds = useStore(revision);
  const [{ form }, setOwn] = useOwn("landscape");
  const [levels, setLevels] = useNumber("levels", 12);
  const [log, setLog] = useSwitch("log");
  const surface = form === "3d";
  const { data, error } = useLoaded(`${rounds}\n${selected.join("\n")}`, async (signal) => {
    const all = await Promise.all(
      selected.slice(0, 20).map(async (run) => ({
        run,
        names: (await get("landscapes", { run }, signal)).landscapes,
      })),
    );
    return all.flatMap(({ run, names }) => names.map((name) => ({ run, name })));
  });
  if (error && !data) return <Failed error={error} />;
  if (!data) return <Loading />;
  if (data.length === 0) return <Empty title={t("noLandscape")} code={computeLandscape} />;
  const groups = comparable(data);
  const several = form === "together" && groups.length > 0;
  return (
    <>
      <div class="bar" role="group" aria-label={t("landscape")}>
        <button
          type="button"
          aria-pressed={!surface && !several}
          onClick={() => setOwn({ form: "" })}
        >
          {t("contours")}
        </button>
        <button type="button" aria-pressed={surface} onClick={() => setOwn({ form: "3d" })}>
          {t("surface")}
        </button>
        {groups.length > 0 && (
          <button type="button" aria-pressed={several} onClick={() => setOwn({ form: "together" })}>
            {t("together3d")}
          </button>
        )}
        <label>
          {t("levels")}
          <input
            type="range"
            min="4"
            max="40"
            value={levels}
            disabled={surface || several}
            onInput={(event) => setLevels(Number(event.currentTarget.value))}
          />
          <output>{levels}</output>
        </label>
        <button type="button" aria-pressed={log} onClick={() => setLog(!log)}>
          {t("logColours")}
        </button>
        {(surface || several) && <span class="muted">{t("turn")}</span>}
      </div>
      {several
        ? groups.map((group) => <TogetherCard key={group.kind} {...group} log={log} />)
        : data
            .slice(0, runsShown)
            .map(({ run, name }) => (
              <LandscapeCard
                key={`${run} ${name.tag} ${name.at}`}
                run={run}
                name={name}
                style={{ surface, levels, log }}
              />
            ))}
      {!several && data.length > runsShown && (
        <p class="muted">{t("moreRuns", formatCount(data.length - runsShown))}</p>
      )}
    </>
  );
}
