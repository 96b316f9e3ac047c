// The values of every line at the cursor: beside the pointer, and in a table that stays.
import { useEffect, useRef, useState } from "preact/hooks";
import { formatCount, keepEnd, naturally } from "../core/format";
import { hasConsole } from "../core/model";
import { useText } from "../core/text";
import { goTo } from "../core/view";
import { defaultView, isCounted } from "../core/view_state";
import { IconButton } from "../widgets/icons";
import { Swatch } from "../widgets/swatch";
import { countText, headOf } from "./axis_text";
import { greatestFirst, nearestFirst, rowsAt } from "./cursor_rows";
import type { Plot, Style } from "./draw";
import type { Line } from "./line";

interface CursorTableProps {
  lines: readonly Line[];
  at: number;
  style: Style;
  y: number;
  plot: Plot;
  place: { x: number; y: number };
}

const shownAtCursor = 15;
// About as many pixels as the table takes.
const widest = 440;

export function CursorTable({ lines, at, style, y, plot, place }: CursorTableProps) {
  const t = useText();
  const rows = rowsAt(lines, at, (value) => Math.abs(plot.y.at(value) - y));
  rows.sort(nearestFirst);
  // A line that counts one more takes as much room as the one.
  const shown = rows.length === shownAtCursor + 1 ? rows.length : shownAtCursor;
  const more = rows.length - shown;
  const aside =
    place.x + 16 + widest > innerWidth
      ? { right: `${innerWidth - place.x + 16}px` }
      : { left: `${place.x + 16}px` };
  const stepShown = !isCounted(style.axis) || style.against;
  return (
    <div
      class="float"
      role="tooltip"
      style={{
        ...aside,
        top: `${Math.max(4, Math.min(place.y + 12, innerHeight - 60 - 18 * Math.min(shownAtCursor + 1, rows.length)))}px`,
      }}
    >
      <b>{headOf(at, style)}</b>
      <table>
        <tbody>
          {rows.slice(0, shown).map((row, i) => (
            <tr key={`${row.line.label}`} class={i === 0 && row.distance < Infinity ? "near" : ""}>
              <td>
                <Swatch slot={row.line.slot} />
              </td>
              <td>{keepEnd(row.name, 32)}</td>
              <td class="number">{row.text}</td>
              <td class="number muted">
                {stepShown || row.elsewhere ? countText(style.axis, row.line.steps[row.i]!) : ""}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <span class="muted">{t("andMore", formatCount(more))}</span>}
    </div>
  );
}

/** A step, which leads to what its run's command printed then. */
function Step({ run, step }: { run: string; step: number }) {
  const t = useText();
  const text = formatCount(step);
  if (run === "" || !hasConsole(run)) return <>{text}</>;
  const place = `step:${step}`;
  const open = () => goTo("log", { own: { ...defaultView.own, log: { run, rank: "", place } } });
  return (
    <button type="button" class="plain" title={t("logAtStep", text)} onClick={open}>
      {text}
    </button>
  );
}

const pinnedAtMost = 200;

/** The cursor's table after a click: it stays, and can be sorted and copied. */
export function PinnedTable({
  lines,
  at,
  style,
  place,
  onClose,
}: Omit<CursorTableProps, "y" | "plot"> & { onClose: () => void }) {
  const t = useText();
  const [byName, setByName] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const rows = rowsAt(lines, at);
  rows.sort(byName ? (a, b) => naturally(a.name, b.name) : greatestFirst);
  const copy = () =>
    void navigator.clipboard?.writeText(
      `run\tstep\tvalue\n${rows.map(({ name, line, i, value }) => `${name}\t${line.steps[i]}\t${value}`).join("\n")}\n`,
    );
  const head = (name: boolean, label: string) => (
    <th scope="col" aria-sort={byName === name ? (name ? "ascending" : "descending") : "none"}>
      <button type="button" class="plain" onClick={() => setByName(name)}>
        {label}
        {byName === name ? (name ? " ↑" : " ↓") : ""}
      </button>
    </th>
  );
  return (
    <div
      class="float pinned"
      ref={box}
      role="dialog"
      aria-label={t("valuesOf", headOf(at, style))}
      tabIndex={-1}
      style={{
        left: `${Math.max(4, Math.min(place.x + 16, innerWidth - 380))}px`,
        top: `${Math.max(4, Math.min(place.y + 12, innerHeight - 320))}px`,
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
        else if (event.key === "c" && !event.ctrlKey && !event.metaKey) copy();
        else return;
        event.stopPropagation();
      }}
    >
      <header>
        <b>{headOf(at, style)}</b>
        <span>
          <IconButton name="copy" label={t("copy")} onClick={copy} />
          <IconButton name="close" label={t("close")} onClick={onClose} />
        </span>
      </header>
      <table class="data">
        <thead>
          <tr>
            {head(true, t("name"))}
            {head(false, t("value"))}
            <th scope="col">{t("step")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, pinnedAtMost).map((row) => (
            <tr key={row.line.label}>
              <td>
                <Swatch slot={row.line.slot} /> {keepEnd(row.name, 40)}
              </td>
              <td>{row.text}</td>
              <td>
                <Step run={row.line.run} step={row.line.steps[row.i]!} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
