// The ranks of a training side by side: which rank keeps the others waiting.
import type { RankUse } from "../../core/api_profile";
import { hue, theme } from "../../core/colors";
import { formatCount, formatNs, formatShare } from "../../core/format";
import { get } from "../../core/http";
import { useLoaded, useStore } from "../../core/store";
import { type TextKey, useText } from "../../core/text";
import { Failed, LoadingFile } from "../../widgets/notice";

const parts = [
  ["own", "ownWork", 0],
  ["data_wait", "dataWait", 1],
  ["communication", "communication", 3],
] as const satisfies readonly (readonly [string, TextKey, number])[];

/** A step's parts. Waiting for data is part of its own time. */
export function partsOfRank({ step, data_wait: wait, communication }: RankUse): {
  own: number;
  data_wait: number;
  communication: number;
} {
  return { own: Math.max(0, step - wait - communication), data_wait: wait, communication };
}

export function RanksView({ profile }: { profile: string }) {
  const t = useText();
  const scheme = useStore(theme);
  const { data, error } = useLoaded(profile, (signal) => get("profile/ranks", { profile }, signal));
  if (error) return <Failed error={error} />;
  if (!data) return <LoadingFile />;
  if (data.ranks.length < 2) return <p class="muted">{t("oneRank")}</p>;
  const most = data.ranks.reduce((a, rank) => Math.max(a, rank.step), 1);
  const { finding } = data;
  return (
    <>
      {finding ? (
        <ul class="advice">
          <li>
            <b>{finding.what}</b> {finding.evidence.replace(/[^.]$/, "$&.")}{" "}
            <span>{t("try", finding.change.replace(/\.$/, ""))}</span>
          </li>
        </ul>
      ) : (
        <p>{t("noStraggler")}</p>
      )}
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
              <th scope="col">{t("stepMedian")}</th>
              <th scope="col">{t("step")}</th>
              <th scope="col">{t("ownWork")}</th>
              <th scope="col">{t("dataWait")}</th>
              <th scope="col">{t("communication")}</th>
              <th scope="col">{t("share")}</th>
              <th scope="col">{t("count")}</th>
              <th scope="col" class="path">
                {t("profile")}
              </th>
            </tr>
          </thead>
          <tbody>
            {data.ranks.map((rank) => {
              const split = partsOfRank(rank);
              return (
                <tr key={`${rank.rank} ${rank.profile}`}>
                  <td>{rank.rank ?? "–"}</td>
                  <td class="rank-bar">
                    <span style={{ width: `${(100 * rank.step) / most}%` }}>
                      {parts.map(([key, , slot]) => (
                        <i
                          key={key}
                          style={{
                            flexGrow: split[key] / Math.max(1, rank.step),
                            background: hue(scheme, slot),
                          }}
                        />
                      ))}
                    </span>
                  </td>
                  <td>{formatNs(rank.step)}</td>
                  <td>{formatNs(split.own)}</td>
                  <td>{formatNs(rank.data_wait)}</td>
                  <td>{formatNs(rank.communication)}</td>
                  <td>{formatShare(rank.communication_share)}</td>
                  <td>{formatCount(rank.steps)}</td>
                  <td class="path">{rank.profile}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </>
  );
}
