// The timeline: lanes of spans over time. W and S zoom, A and D move; a drag selects, a click shows
// a span's details.
import { useState } from "preact/hooks";
import type { ProfileInfo, Steps } from "../../core/api_profile";
import { formatCount, formatNs } from "../../core/format";
import { useText } from "../../core/text";
import { Failed } from "../../widgets/notice";
import { panned } from "./lanes";
import { type TimelineState, useExport, useTimeline } from "./timeline";
import { Lanes } from "./timeline_lanes";
import { Found, Selection, SpanDetails, SpanTable } from "./timeline_parts";

const lanesSummedUp = 256;

/** The buttons that zoom and move. */
function Movers({ info, scene, zoom, move, showAll }: TimelineState) {
  const t = useText();
  const pan = (share: number) => move(panned(scene.window, share, info.duration));
  return (
    <>
      <button type="button" onClick={() => zoom(0.5)} aria-label={`${t("keyZoom")} +`}>
        +
      </button>
      <button type="button" onClick={() => zoom(2)} aria-label={`${t("keyZoom")} −`}>
        −
      </button>
      <button type="button" onClick={() => pan(-0.5)} aria-label={t("earlier")}>
        ←
      </button>
      <button type="button" onClick={() => pan(0.5)} aria-label={t("later")}>
        →
      </button>
      <button type="button" onClick={showAll}>
        {t("reset")}
      </button>
    </>
  );
}

interface ToolbarProps {
  timeline: TimelineState;
  table: boolean;
  onTable: () => void;
}

function Toolbar({ timeline, table, onTable }: ToolbarProps) {
  const t = useText();
  const { info, scene, loading, arrows, tooMany, setArrows, setFind } = timeline;
  const { window: now, selected, find } = scene;
  const { saving, error, save } = useExport(info, selected);
  return (
    <>
      <div class="bar">
        <Movers {...timeline} />
        <input
          type="search"
          class="filter"
          aria-label={t("findSpan")}
          placeholder={t("findSpan")}
          value={find}
          onInput={(event) => setFind(event.currentTarget.value)}
        />
        <button type="button" aria-pressed={table} onClick={onTable}>
          {t("showTable")}
        </button>
        {(info.flow_points ?? 0) > 0 && (
          <button type="button" aria-pressed={arrows} onClick={() => setArrows(!arrows)}>
            {t("arrows")}
          </button>
        )}
        {tooMany > 0 && <span class="muted">{t("manyArrows", formatCount(tooMany))}</span>}
        <button type="button" disabled={saving} onClick={save} title={t("forPerfettoHint")}>
          {t(selected ? "selectionForPerfetto" : "forPerfetto")}
        </button>
        <span class="muted end">
          {t("range", formatNs(now[0], 6), formatNs(now[1], 6))}
          {loading ? " …" : ""}
        </span>
      </div>
      {error && <Failed error={error} />}
    </>
  );
}

export function TimelineView({ info, steps }: { info: ProfileInfo; steps: Steps | null }) {
  const t = useText();
  const timeline = useTimeline(info, steps);
  const { scene, error, select, move, show, goTo } = timeline;
  const { selected, chosen } = scene;
  const [table, setTable] = useState(false);
  const zoomToSelection = () => {
    if (selected) move(selected);
    select(null);
  };
  return (
    <div class="timeline">
      <Toolbar timeline={timeline} table={table} onTable={() => setTable(!table)} />
      {error && <Failed error={error} />}
      <Lanes timeline={timeline} />
      <p class="muted">{t("timelineKeys")}</p>
      {table && <SpanTable scene={scene} />}
      <div class="below">
        {selected && (
          <Selection
            profile={info.profile}
            selected={selected}
            lanes={info.lanes.slice(0, lanesSummedUp).map((lane) => lane.lane)}
            onZoom={zoomToSelection}
          />
        )}
        {chosen !== null && <SpanDetails profile={info.profile} span={chosen} onShow={show} />}
        <Found profile={info.profile} text={scene.find} onGo={goTo} />
      </div>
    </div>
  );
}
