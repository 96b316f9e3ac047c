// The header of a chart: its tags, what it does not show, and its buttons.
import type { ComponentChildren } from "preact";
import { formatCount, formatValue, keepEnd } from "../core/format";
import { type TextKey, t as text, useText } from "../core/text";
import { IconButton } from "../widgets/icons";
import { smoothColumns } from "./chart_lines";
import type { Plot } from "./draw";

/** A chart's header: its tags, what is not shown as recorded, buttons, and the last value. */
export function ChartHeader({ tag, beside, full, notes, last, children }: HeaderProps) {
  return (
    <header>
      <h3 class="tag" title={tag}>
        {keepEnd(tag, full ? 120 : 44)}
      </h3>
      {beside.map((name) => (
        <span key={name} class="tag muted" title={name}>
          <svg class="swatch" viewBox="0 0 16 10" aria-hidden="true">
            <line
              x1="0"
              y1="5"
              x2="16"
              y2="5"
              stroke="currentcolor"
              stroke-width="1.5"
              stroke-dasharray="5 2 1.5 2"
            />
          </svg>{" "}
          {keepEnd(name, full ? 60 : 24)}
        </span>
      ))}
      {notes.map(({ text, grave }) => (
        <span key={text} class={grave ? "danger" : "muted"}>
          {text}
        </span>
      ))}
      <span class="end">
        <span class="tools">{children}</span>
        {last !== undefined && <b>{formatValue(last)}</b>}
      </span>
    </header>
  );
}

interface HeaderProps {
  tag: string;
  beside: readonly string[];
  full: boolean;
  notes: readonly { text: string; grave: boolean }[];
  last: number | undefined;
  children: ComponentChildren;
}

/** What a chart leaves out or cannot show. `columned`: it is computed from columns. */
export function notesOf(plot: Plot | null, columned: boolean): HeaderProps["notes"] {
  const notes: { text: string; grave: boolean }[] = [];
  const note = (grave: boolean, count: number, key: TextKey) => {
    if (count > 0) notes.push({ text: text(key, formatCount(count)), grave });
  };
  note(false, plot?.outliers ?? 0, "outliersOut");
  note(true, plot?.bad.nan ?? 0, "nanMarks");
  note(true, plot?.bad.infinite ?? 0, "infMarks");
  note(false, columned ? smoothColumns : 0, "smoothedColumns");
  return notes;
}

export type Shown = "" | "values" | "statistics";

/** The buttons of a chart's header. */
export function Tools(props: {
  tag: string;
  shown: Shown;
  csvExact: boolean;
  drawn: boolean;
  pinned: boolean;
  full: boolean;
  onShow: (what: Shown) => void;
  onCsv: () => void;
  onPng: () => void;
  onSvg: () => void;
  onPin: () => void;
  onFull: () => void;
}) {
  const t = useText();
  const { tag, shown, csvExact, drawn, pinned, full, onShow } = props;
  const csvNote = csvExact ? "" : `; ${t("csvColumns", formatCount(smoothColumns))}`;
  return (
    <>
      <IconButton
        name="table"
        label={`${shown === "values" ? t("showChart") : t("showTable")}: ${tag}`}
        pressed={shown === "values"}
        onClick={() => onShow("values")}
      />
      <IconButton
        name="sigma"
        label={`${shown === "statistics" ? t("showChart") : t("showStatistics")}: ${tag}`}
        pressed={shown === "statistics"}
        onClick={() => onShow("statistics")}
      />
      <IconButton
        name="download"
        label={`${t("saveCsv")}: ${tag}${csvNote}`}
        onClick={props.onCsv}
      />
      <IconButton
        name="picture"
        label={`${t("savePng")}: ${tag}`}
        disabled={!drawn}
        onClick={props.onPng}
      />
      <IconButton
        name="vector"
        label={`${t("saveSvg")}: ${tag}`}
        disabled={!drawn}
        onClick={props.onSvg}
      />
      <IconButton
        name="pin"
        label={`${pinned ? t("unpinChart") : t("pinChart")}: ${tag}`}
        pressed={pinned}
        onClick={props.onPin}
      />
      <IconButton
        name={full ? "shrink" : "grow"}
        label={`${full ? t("leaveFull") : t("fullScreen")}: ${tag}`}
        onClick={props.onFull}
      />
    </>
  );
}
