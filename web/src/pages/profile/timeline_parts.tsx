// The parts around a timeline's lanes: details of a span, sums of a selection, search results, and
// the spans as a table.
import { Fragment } from "preact";
import type { Span } from "../../core/api_profile";
import { formatCount, formatNs, formatShare } from "../../core/format";
import { get } from "../../core/http";
import { useLoaded } from "../../core/store";
import { useText } from "../../core/text";
import { Failed } from "../../widgets/notice";
import type { Scene } from "./draw_timeline";
import { type Hit, placesOf, type Window } from "./lanes";
import { useSettled } from "./timeline";

const tableRows = 200;

export function Tip({
  hit,
  names,
  place,
}: {
  hit: Hit;
  names: readonly { name: string }[];
  place: { x: number; y: number };
}) {
  const t = useText();
  const text =
    hit.kind === "span"
      ? [names[hit.row.name[hit.index]!]!.name, formatNs(hit.row.duration[hit.index]!)]
      : [
          t("narrowSpans", formatCount(hit.row.count[hit.index]!)),
          t("coveredOf", formatShare(hit.row.covered[hit.index]!), formatNs(hit.to - hit.from)),
        ];
  return (
    <div
      class="float"
      role="tooltip"
      style={{
        left: `${Math.min(place.x + 14, innerWidth - 320)}px`,
        top: `${Math.min(place.y + 14, innerHeight - 60)}px`,
      }}
    >
      <b>{text[0]}</b>
      <br />
      {text[1]}
    </div>
  );
}

export function Selection({
  profile,
  selected,
  lanes,
  onZoom,
}: {
  profile: string;
  selected: Window;
  lanes: readonly number[];
  onZoom: () => void;
}) {
  const t = useText();
  const { data, error } = useLoaded(JSON.stringify([profile, selected, lanes]), (signal) =>
    get(
      "profile/selection",
      { profile, from: selected[0], to: selected[1], lane: [...lanes] },
      signal,
    ),
  );
  if (error) return <Failed error={error} />;
  const busiest = data?.lanes.reduce((most, lane) => Math.max(most, lane.busy), 0) ?? 0;
  return (
    <section aria-label={t("selection")}>
      <h3>
        {t("selectionOf", formatNs(selected[1] - selected[0]))}{" "}
        <button type="button" onClick={onZoom}>
          {t("zoomIn")}
        </button>
      </h3>
      {data && (
        <>
          <p>
            {t(
              "selectionSays",
              formatCount(data.spans),
              formatCount(data.lanes.length),
              formatShare(busiest / (selected[1] - selected[0])),
            )}
          </p>
          <table class="data">
            <thead>
              <tr>
                <th scope="col">{t("name")}</th>
                <th scope="col">{t("count")}</th>
                <th scope="col">{t("time")}</th>
                <th scope="col">{t("average")}</th>
              </tr>
            </thead>
            <tbody>
              {data.names.slice(0, 12).map((one) => (
                <tr key={one.name}>
                  <td class="mono cut" title={one.name}>
                    {one.name}
                  </td>
                  <td>{formatCount(one.count)}</td>
                  <td>{formatNs(one.time)}</td>
                  <td>{formatNs(one.time / one.count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </section>
  );
}

export function SpanDetails({
  profile,
  span,
  onShow,
}: {
  profile: string;
  span: number;
  onShow: (from: number, duration: number) => void;
}) {
  const t = useText();
  const { data, error } = useLoaded(`${profile}\n${span}`, (signal) =>
    get("profile/span", { profile, span }, signal),
  );
  if (error) return <Failed error={error} />;
  if (!data) return null;
  const detail =
    data.detail !== null && typeof data.detail === "object"
      ? Object.entries(data.detail)
      : data.detail
        ? [["", data.detail]]
        : [];
  return (
    <section aria-label={t("details")}>
      <h3>
        <span class="mono">{data.name}</span>{" "}
        <button type="button" onClick={() => onShow(data.start, data.duration)}>
          {t("zoomIn")}
        </button>
      </h3>
      <dl class="pairs">
        <dt>{t("time")}</dt>
        <dd>{formatNs(data.duration)}</dd>
        <dt>{t("startsAt")}</dt>
        <dd>{formatNs(data.start, 9)}</dd>
        {data.type && (
          <>
            <dt>{t("type")}</dt>
            <dd>{data.type}</dd>
          </>
        )}
        <dt>{t("spanKind")}</dt>
        <dd>{data.kind}</dd>
        <dt>{t("lane")}</dt>
        <dd>{[data.process, data.thread].filter(Boolean).join(" / ")}</dd>
        {data.category && (
          <>
            <dt>{t("category")}</dt>
            <dd>{data.category}</dd>
          </>
        )}
        {detail.map(([key, value]) => (
          <Fragment key={key}>
            <dt class="mono">{key}</dt>
            <dd class="mono">{typeof value === "string" ? value : JSON.stringify(value)}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

export function Found({
  profile,
  text,
  onGo,
}: {
  profile: string;
  text: string;
  onGo: (span: Span) => void;
}) {
  const t = useText();
  const settled = useSettled(text, text, 200);
  const { data, error } = useLoaded(settled === "" ? "" : `${profile}\n${settled}`, (signal) =>
    get("profile/search", { profile, text: settled, limit: 200 }, signal),
  );
  if (text === "") return null;
  if (error) return <Failed error={error} />;
  if (!data) return null;
  return (
    <section aria-label={t("findSpan")}>
      <h3 role="status">{t("foundSpans", formatCount(data.total), formatNs(data.total_time))}</h3>
      <ul class="links">
        {data.matches.map((span) => (
          <li key={span.span}>
            <button type="button" onClick={() => onGo(span)}>
              {span.name}
            </button>{" "}
            <span class="muted">
              {formatNs(span.duration)}, {t("startsAt")} {formatNs(span.start, 6)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The spans that are drawn each by itself, as a table. */
export function SpanTable({ scene }: { scene: Scene }) {
  const t = useText();
  const names = new Map(
    Array.from(placesOf(scene.layout), ([number, { lane }]) => [
      number,
      [lane.process, lane.thread].filter(Boolean).join(" / "),
    ]),
  );
  const rows = (scene.timeline?.rows ?? [])
    .flatMap((row) =>
      Array.from(row.start, (start, i) => ({
        lane: row.lane,
        start,
        duration: row.duration[i]!,
        name: scene.timeline!.names[row.name[i]!]!.name,
      })),
    )
    .filter(({ start, duration }) => start < scene.window[1] && start + duration > scene.window[0]);
  return (
    <div class="values spans" tabIndex={0} role="region" aria-label={t("showTable")}>
      <p class="muted">
        {t("pointsShown", formatCount(Math.min(tableRows, rows.length)), formatCount(rows.length))}
      </p>
      <table class="data">
        <thead>
          <tr>
            <th scope="col">{t("name")}</th>
            <th scope="col">{t("lane")}</th>
            <th scope="col">{t("startsAt")}</th>
            <th scope="col">{t("time")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, tableRows).map((row, i) => (
            <tr key={i}>
              <td>{row.name}</td>
              <td>{names.get(row.lane)}</td>
              <td>{formatNs(row.start, 9)}</td>
              <td>{formatNs(row.duration)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
