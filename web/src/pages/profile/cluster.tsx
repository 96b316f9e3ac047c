// The ranks of a training side by side: who keeps the others waiting, where each rank's time goes,
// and what its stages, hosts, groups and links do.
import { useMemo, useRef } from "preact/hooks";
import { HeatCanvas } from "../../chart/rank_heat";
import type { ClusterData, ClusterRank } from "../../core/api_profile";
import { hue, theme } from "../../core/colors";
import { formatBytes, formatCount, formatNs, formatShare } from "../../core/format";
import { get } from "../../core/http";
import { useSize } from "../../core/size";
import { useLoaded, useStore } from "../../core/store";
import { type TextKey, useText } from "../../core/text";
import { useOwn } from "../../core/view";
import { Failed, LoadingFile } from "../../widgets/notice";
import { type ClusterPart, clusterParts, heatOfCluster } from "./cluster_heat";
import { deviceSlots } from "./device_time";
import { Findings } from "./findings";

const rowHeight = 14;
const mostHeatRows = 64;
const mostGroups = 20;

/** A part of a step: its name and the slot of its colour. */
type Part = readonly [key: string, name: TextKey, slot: number];
const deviceParts: readonly Part[] = [
  ["computing_us", "computing", deviceSlots.computing],
  ["communication_us", "communicationAlone", deviceSlots.communicationAlone],
  ["idle_us", "deviceIdle", deviceSlots.deviceIdle],
];
const hostParts: readonly Part[] = [
  ["own_us", "ownWork", 0],
  ["data_wait_us", "dataWait", 1],
  ["communication_us", "communication", 3],
];
const heatNames: Record<ClusterPart, TextKey> = {
  computing_us: "computing",
  communication_us: "communicationAlone",
  idle_us: "deviceIdle",
  preparing_us: "preparing",
  step_us: "step",
};

const ns = (us: number | undefined) => (us === undefined ? "–" : formatNs(us * 1000));

/** The parts of a rank's step. Of a host, waiting for data is apart from its own work. */
export function partsOf(rank: ClusterRank): Record<string, number> {
  if (rank.computing_us !== undefined)
    return {
      computing_us: rank.computing_us,
      communication_us: rank.communication_us ?? 0,
      idle_us: rank.idle_us ?? 0,
    };
  const wait = rank.data_wait_us ?? 0;
  return {
    own_us: Math.max(0, (rank.own_us ?? 0) - wait),
    data_wait_us: wait,
    communication_us: rank.communication_us ?? 0,
  };
}

/** "0–3, 8": ranks in ascending order as ranges. */
export function rangesOf(ranks: readonly (number | null)[]): string {
  const known = ranks.filter((rank) => rank !== null).sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const rank of known) {
    const last = ranges.at(-1);
    if (last && last[1] + 1 === rank) last[1] = rank;
    else ranges.push([rank, rank]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}

/** What the view does not know: ranks that are missing or unreadable, collectives nobody can judge. */
function LeftOut({ cluster }: { cluster: ClusterData }) {
  const t = useText();
  const { missing_ranks: missing, unreadable, collectives } = cluster;
  const unjudged = collectives.count - collectives.judged;
  return (
    <>
      {missing.length > 0 && <p class="muted">{t("missingRanks", rangesOf(missing))}</p>}
      {unjudged > 0 && <p class="muted">{t("unjudged", unjudged, collectives.count)}</p>}
      {unreadable.map(({ path, error }) => (
        <p class="danger" key={path}>
          {path}: {error}
        </p>
      ))}
    </>
  );
}

function Heat({ cluster }: { cluster: ClusterData }) {
  const t = useText();
  const [own, change] = useOwn("profile");
  const part = clusterParts.find((one) => one === own.part) ?? "computing_us";
  const heat = useMemo(() => heatOfCluster(cluster, part, mostHeatRows), [cluster, part]);
  const frame = useRef<HTMLDivElement>(null);
  const { width } = useSize(frame);
  if (!heat || (heat.rows.length < 2 && heat.columns < 2)) return null;
  const height = Math.max(60, heat.rows.length * rowHeight + 30);
  return (
    <section>
      <h3>
        {t("ranksAndSteps")}{" "}
        <select
          aria-label={t("partOfStep")}
          value={part}
          onChange={(event) => change({ part: event.currentTarget.value })}
        >
          {clusterParts.map((one) => (
            <option key={one} value={one}>
              {t(heatNames[one])}
            </option>
          ))}
        </select>
      </h3>
      {heat.rows.length < cluster.ranks.length && (
        <p class="muted">{t("farthestOfRow", cluster.ranks.length, heat.rows.length)}</p>
      )}
      <div class="cluster-heat" ref={frame} style={{ height: `${height}px` }}>
        <HeatCanvas
          heat={heat}
          label={t("heatOf", t(heatNames[part]))}
          width={width}
          height={height}
          format={(us) => ns(us)}
        />
      </div>
    </section>
  );
}

function RankTable({ cluster }: { cluster: ClusterData }) {
  const t = useText();
  const scheme = useStore(theme);
  const { ranks } = cluster;
  const ofDevice = ranks.some((rank) => rank.computing_us !== undefined);
  const parts = ofDevice ? deviceParts : hostParts;
  const most = ranks.reduce((a, rank) => Math.max(a, rank.step_us ?? 0), 1);
  const shown = (have: (rank: ClusterRank) => unknown) => ranks.some((rank) => have(rank) != null);
  const columns = {
    last: shown(({ collectives }) => collectives),
    stage: shown(({ stage }) => stage),
    host: shown(({ host }) => host),
  };
  return (
    <section>
      <p class="legend">
        {parts.map(([key, name, slot]) => (
          <span key={key}>
            <i style={{ background: hue(scheme, slot) }} /> {t(name)}
          </span>
        ))}
      </p>
      <div class="grid-wrap tall" tabIndex={0} role="region" aria-label={t("ranks")}>
        <table class="data ranks">
          <thead>
            <tr>
              <th scope="col">{t("rank")}</th>
              <th scope="col">{t("stepMean")}</th>
              <th scope="col">{t("step")}</th>
              {parts.map(([key, name]) => (
                <th scope="col" key={key}>
                  {t(name)}
                </th>
              ))}
              {ofDevice && <th scope="col">{t("preparing")}</th>}
              {columns.last && (
                <th scope="col" title={t("lastHint")}>
                  {t("wasLast")}
                </th>
              )}
              {columns.stage && <th scope="col">{t("stage")}</th>}
              {columns.host && <th scope="col">{t("host")}</th>}
              <th scope="col" class="path">
                {t("profile")}
              </th>
            </tr>
          </thead>
          <tbody>
            {ranks.map((rank) => {
              const split = partsOf(rank);
              return (
                <tr key={`${rank.rank} ${rank.path}`}>
                  <td>{rank.rank ?? "–"}</td>
                  <td class="rank-bar">
                    <span style={{ width: `${(100 * (rank.step_us ?? 0)) / most}%` }}>
                      {parts.map(([key, , slot]) => (
                        <i
                          key={key}
                          style={{
                            flexGrow: (split[key] ?? 0) / Math.max(1, rank.step_us ?? 0),
                            background: hue(scheme, slot),
                          }}
                        />
                      ))}
                    </span>
                  </td>
                  {rank.step_us === undefined ? (
                    <td colSpan={parts.length + 1} class="muted">
                      {t("noData")}
                    </td>
                  ) : (
                    <>
                      <td>{ns(rank.step_us)}</td>
                      {parts.map(([key]) => (
                        <td key={key}>{ns(split[key])}</td>
                      ))}
                    </>
                  )}
                  {ofDevice && <td>{ns(rank.preparing_us)}</td>}
                  {columns.last && (
                    <td>
                      {rank.collectives
                        ? t("ofMany", rank.collectives.last, rank.collectives.judged)
                        : "–"}
                    </td>
                  )}
                  {columns.stage && <td>{rank.stage ?? "–"}</td>}
                  {columns.host && <td>{rank.host ?? "–"}</td>}
                  <td class="path">{rank.path}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

type RankSet = Omit<ClusterData["hosts"][number], "host">;

/** Stages or hosts: the medians of their ranks. */
function SetTable({
  title,
  name,
  sets,
}: {
  title: TextKey;
  name: TextKey;
  sets: readonly (readonly [string, RankSet])[];
}) {
  const t = useText();
  if (sets.length < 2) return null;
  return (
    <section>
      <h3>{t(title)}</h3>
      <div class="grid-wrap">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{t(name)}</th>
              <th scope="col">{t("step")}</th>
              {deviceParts.map(([key, part]) => (
                <th scope="col" key={key}>
                  {t(part)}
                </th>
              ))}
              <th scope="col">{t("bubble")}</th>
              <th scope="col">{t("ranks")}</th>
            </tr>
          </thead>
          <tbody>
            {sets.map(([of, set]) => (
              <tr key={of}>
                <td>{of}</td>
                <td>{ns(set.step_us)}</td>
                <td>{ns(set.computing_us)}</td>
                <td>{ns(set.communication_us)}</td>
                <td>{ns(set.idle_us)}</td>
                <td>{ns(set.bubble_us)}</td>
                <td>{rangesOf(set.ranks)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Groups({ cluster }: { cluster: ClusterData }) {
  const t = useText();
  if (cluster.groups.length === 0) return null;
  const ordered = [...cluster.groups].sort((a, b) => b.wait_us - a.wait_us);
  const left = ordered.length - mostGroups;
  return (
    <section>
      <h3>{t("groupsOfRanks")}</h3>
      <div class="grid-wrap">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{t("groupsOfRanks")}</th>
              <th scope="col">{t("collectives")}</th>
              <th scope="col" title={t("transferHint")}>
                {t("transfer")}
              </th>
              <th scope="col">{t("waiting")}</th>
              <th scope="col" title={t("lastHint")}>
                {t("lastMostOften")}
              </th>
              <th scope="col">{t("sendsAndReceives")}</th>
              <th scope="col">{t("ranks")}</th>
            </tr>
          </thead>
          <tbody>
            {ordered.slice(0, mostGroups).map((group) => (
              <tr key={`${group.group} ${group.ranks.join()}`}>
                <td>{group.group}</td>
                <td>{formatCount(group.collectives)}</td>
                <td>{ns(group.transfer_us)}</td>
                <td>{ns(group.wait_us)}</td>
                <td>
                  {group.last === null
                    ? group.incomplete > 0
                      ? t("notEveryRank")
                      : "–"
                    : t(
                        "lastMember",
                        group.last,
                        group.last_count,
                        group.collectives - group.incomplete,
                      )}
                </td>
                <td>{group.point_to_point > 0 ? ns(group.point_to_point_us) : "–"}</td>
                <td>{rangesOf(group.ranks)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {left > 0 && <p class="muted">{t("moreGroups", left)}</p>}
    </section>
  );
}

/** The bandwidth of each collective by group and size, those that took longest first. */
function Traffic({ cluster }: { cluster: ClusterData }) {
  const t = useText();
  if (cluster.traffic.length === 0) return null;
  const left = cluster.traffic.length - mostGroups;
  return (
    <section>
      <h3>{t("traffic")}</h3>
      <p class="muted">{t("trafficHint")}</p>
      <div class="grid-wrap">
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{t("collective")}</th>
              <th scope="col">{t("groupsOfRanks")}</th>
              <th scope="col">{t("size")}</th>
              <th scope="col">{t("count")}</th>
              <th scope="col">{t("transfer")}</th>
              <th scope="col">{t("algbw")}</th>
              <th scope="col">{t("busbw")}</th>
            </tr>
          </thead>
          <tbody>
            {cluster.traffic.slice(0, mostGroups).map((one) => (
              <tr key={`${one.collective} ${one.group} ${one.ranks.join()} ${one.bytes}`}>
                <td>{one.collective}</td>
                <td>{one.group}</td>
                <td>{formatBytes(one.bytes)}</td>
                <td>{formatCount(one.count)}</td>
                <td>{ns(one.transfer_us)}</td>
                <td>{one.algbw_gb_per_s.toFixed(2)}</td>
                <td>{one.busbw_gb_per_s.toFixed(2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {left > 0 && <p class="muted">{t("moreTraffic", left)}</p>}
    </section>
  );
}

/** Whether a link leads to another device. */
function isLink({ link }: { link: string }): boolean {
  const [from, to] = link.split("-");
  return from !== to;
}

/** The links that carried 1 MB or more, the slowest first: below that, latency decides. */
function Links({ cluster }: { cluster: ClusterData }) {
  const t = useText();
  const links = cluster.links.filter(isLink);
  const large = links
    .filter(({ bytes, gb_per_s }) => bytes >= 1e6 && gb_per_s !== null)
    .sort((a, b) => a.gb_per_s! - b.gb_per_s!);
  if (large.length === 0) return null;
  const fastest = large.at(-1)!.gb_per_s!;
  return (
    <section>
      <h3>{t("links")}</h3>
      <p class="muted">{t("linksHint", large.length, links.length - large.length)}</p>
      <div class="grid-wrap tall" tabIndex={0} role="region" aria-label={t("links")}>
        <table class="data ranks">
          <thead>
            <tr>
              <th scope="col">{t("link")}</th>
              <th scope="col">{t("transport")}</th>
              <th scope="col">GB/s</th>
              <th scope="col" />
              <th scope="col">GB</th>
            </tr>
          </thead>
          <tbody>
            {large.slice(0, 256).map((link) => (
              <tr key={`${link.link} ${link.transport}`}>
                <td>{link.link}</td>
                <td>{link.transport}</td>
                <td>{link.gb_per_s!.toFixed(2)}</td>
                <td class="rank-bar">
                  <span style={{ width: `${(100 * link.gb_per_s!) / fastest}%` }}>
                    <i style={{ flexGrow: 1, background: "var(--accent)" }} />
                  </span>
                </td>
                <td>{(link.bytes / 1e9).toFixed(3)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

export function ClusterView({ profile }: { profile: string }) {
  const t = useText();
  const { data, error } = useLoaded(profile, (signal) =>
    get("profile/cluster", { profile }, signal),
  );
  if (error) return <Failed error={error} />;
  if (!data) return <LoadingFile />;
  if (data.ranks.length < 2) return <p class="muted">{t("oneRank")}</p>;
  const withSteps = data.ranks.filter(({ step_us }) => step_us !== undefined).length;
  return (
    <div class="cluster">
      {data.findings.length > 0 ? <Findings findings={data.findings} /> : <p>{t("noStraggler")}</p>}
      <p class="muted">
        {t("ranksWithSteps", data.ranks.length, withSteps)} {formatMeans(data, t)}
      </p>
      <LeftOut cluster={data} />
      <Heat cluster={data} />
      <RankTable cluster={data} />
      <SetTable
        title="pipelineStages"
        name="stage"
        sets={data.stages.map((set) => [set.stage, set] as const)}
      />
      <SetTable
        title="hosts"
        name="host"
        sets={data.hosts.map((set) => [set.host, set] as const)}
      />
      <Groups cluster={data} />
      <Traffic cluster={data} />
      <Links cluster={data} />
    </div>
  );
}

/** The share of each part in all steps of all ranks. */
function formatMeans(cluster: ClusterData, t: ReturnType<typeof useText>): string {
  const sums = cluster.ranks.reduce(
    (sum, rank) => ({
      step: sum.step + (rank.computing_us === undefined ? 0 : (rank.step_us ?? 0)),
      computing: sum.computing + (rank.computing_us ?? 0),
      communication:
        sum.communication + (rank.computing_us === undefined ? 0 : (rank.communication_us ?? 0)),
      idle: sum.idle + (rank.idle_us ?? 0),
    }),
    { step: 0, computing: 0, communication: 0, idle: 0 },
  );
  if (sums.step === 0) return "";
  const share = (part: number) => formatShare(part / sums.step);
  return t("sharesOfSteps", share(sums.computing), share(sums.communication), share(sums.idle));
}
