// Overview of a profile: what a step takes, what costs most and what to try, the operators that
// take most, and the difference from another profile.
import type { OperatorRow, Operators, Part, ProfileInfo, Steps } from "../../core/api_profile";
import { formatBytes, formatCount, formatNs, formatShare } from "../../core/format";
import { get } from "../../core/http";
import { useLoaded } from "../../core/store";
import { useText } from "../../core/text";
import { Failed } from "../../widgets/notice";
import { DeviceBar } from "./device_time";
import { Findings } from "./findings";
import { oneSide } from "./operator_pie";
import { isSplit, namedParts, partsOf, StepBar, stepSource } from "./steps";

const operatorsShown = 8;
const operatorsAsked = 2000;

/**
 * The operators that took most time, of a device where the profile has one. For nested operators
 * their own time counts, or else outer ones would always win.
 */
export function mostOf(table: Operators): { row: OperatorRow; time: number; share: number }[] {
  const time = (row: OperatorRow) => (table.nested ? row.self : row.total);
  const rows = oneSide(table.rows);
  const all = rows.reduce((sum, row) => sum + time(row), 0);
  return rows
    .map((row) => ({ row, time: time(row), share: all > 0 ? time(row) / all : 0 }))
    .sort((a, b) => b.time - a.time)
    .slice(0, operatorsShown);
}

function Difference({ title, rows }: { title: string; rows: readonly Part[] }) {
  const t = useText();
  return (
    <table class="data">
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{t("before")}</th>
          <th scope="col">{t("after")}</th>
          <th scope="col">{t("difference")}</th>
          <th scope="col">{t("share")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name}>
            <td class="mono cut" title={row.name}>
              {row.name}
            </td>
            <td>{formatNs(row.before)}</td>
            <td>{formatNs(row.after)}</td>
            <td>
              {row.after > row.before ? "+" : ""}
              {formatNs(row.after - row.before)}
            </td>
            <td>{formatShare(row.share)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Compared({ profile, before }: { profile: string; before: string }) {
  const t = useText();
  const { data, error } = useLoaded(`${profile}\n${before}`, (signal) =>
    get("profile/compare", { profile, before }, signal),
  );
  if (error) return <Failed error={error} />;
  if (!data) return null;
  return (
    <article class="card" aria-label={t("comparedWith", before)}>
      <h2>{t("comparedWith", before)}</h2>
      <p>
        {data.steps_before > 0 && data.steps_after > 0
          ? t("stepWas", formatNs(data.step_before), formatNs(data.step_after))
          : t("noStepsToCompare")}
      </p>
      <div class="two">
        <Difference title={t("phase")} rows={data.phases} />
        <Difference
          title={t("operator")}
          rows={data.operators.filter((row) => row.before !== row.after).slice(0, 20)}
        />
      </div>
    </article>
  );
}

export function ProfileOverview({
  info,
  steps,
  before,
}: {
  info: ProfileInfo;
  steps: Steps | null;
  before: string;
}) {
  const t = useText();
  const operators = useLoaded(info.profile, (signal) =>
    get("profile/operators", { profile: info.profile, by: "type", limit: operatorsAsked }, signal),
  );
  const findings = useLoaded(
    info.profile,
    async (signal) => (await get("profile/summary", { profile: info.profile }, signal)).findings,
  );
  const mean =
    steps && steps.count > 0 ? (steps.count > 1 ? steps.mean_without_first : steps.mean) : null;
  const barParts =
    !mean || !steps
      ? []
      : isSplit(mean)
        ? partsOf(mean, t)
        : operators.data && !operators.data.nested
          ? namedParts(operators.data.rows, steps.count)
          : [];
  // Where only the device is recorded, a step is all work, and the device's own parts say more.
  const use = mean && mean.work >= mean.total && steps?.use?.total ? steps.use : null;
  const most = operators.data ? mostOf(operators.data) : [];
  const first = most[0];
  const damaged = info.files.filter((file) => file.error !== "");
  const lost = info.events - info.modelled;
  return (
    <>
      <article class="card story" aria-label={info.profile}>
        <div>
          <h2>
            <span>{info.profile}</span>{" "}
            <span class="muted">
              {info.format}
              {info.ranks.length > 1 ? `, ${t("rankOf", info.rank ?? 0, info.ranks.length)}` : ""}
            </span>
          </h2>
          {mean && steps ? (
            <p>
              {t("stepTakes", formatNs(mean.total))}{" "}
              {isSplit(mean) &&
                mean.gap / mean.total >= 0.05 &&
                t("gapIs", formatShare(mean.gap / mean.total))}{" "}
              <span class="muted">{t(stepSource(steps), formatCount(steps.count))}</span>
            </p>
          ) : (
            <p class="muted">{t("noSteps")}</p>
          )}
          {first && (
            <p>
              {t(
                first.row.on_device ? "mostDeviceTime" : "mostTime",
                first.row.type || "–",
                formatShare(first.share),
                formatCount(first.row.count),
                formatNs(first.time),
              )}
            </p>
          )}
          {findings.error && <Failed error={findings.error} />}
          <Findings findings={findings.data ?? []} />
          <div class="alarms">
            {damaged.map((file) => (
              <span key={file.file} class="chip danger">
                {file.file}: {file.error}
              </span>
            ))}
            {lost > 0 && (
              <span class="chip warning">
                {t("notUnderstood", formatCount(lost), formatCount(info.events))}
              </span>
            )}
            {info.files.some((file) => file.unseen) && (
              <span class="chip warning">{t("unseenFormat")}</span>
            )}
          </div>
        </div>
        <div>
          {use && (
            <>
              <p class="muted">{t("deviceTime")}</p>
              <DeviceBar use={use} />
            </>
          )}
          {!use && mean && barParts.length > 0 && (
            <>
              <p class="muted">{t("stepMean")}</p>
              <StepBar total={mean.total} parts={barParts} />
            </>
          )}
          {operators.error && <Failed error={operators.error} />}
          {most.length > 0 && (
            <>
              <p class="muted">{t(first?.row.on_device ? "tasksOfDevice" : "operators")}</p>
              <ul class="bars">
                {most.map(({ row, share }) => (
                  <li key={row.type}>
                    <span class="mono cut" title={row.type}>
                      {row.type || "–"}
                    </span>
                    <i style={{ width: `${Math.max(0.5, share * 100)}%` }} />
                    <span>{formatShare(share)}</span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      </article>
      {before !== "" && <Compared profile={info.profile} before={before} />}
      <details>
        <summary>
          {t(
            "profileHolds",
            formatCount(info.spans),
            formatNs(info.duration),
            formatCount(info.lanes.length),
            formatCount(info.counters.length),
          )}
        </summary>
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{t("file")}</th>
              <th scope="col">{t("size")}</th>
              <th scope="col">{t("events")}</th>
              <th scope="col">{t("understood")}</th>
            </tr>
          </thead>
          <tbody>
            {info.files.map((file) => (
              <tr key={file.file}>
                <td class="mono">{file.file}</td>
                <td>{formatBytes(file.bytes)}</td>
                <td>{formatCount(file.events)}</td>
                <td>{formatCount(file.modelled)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {info.not_understood.map((one) => (
          <p key={one.reason} class="muted">
            {formatCount(one.count)}: {one.reason} <code>{one.example}</code>
          </p>
        ))}
      </details>
    </>
  );
}
