// Profile: where a step's time goes. Shows one profile with its views, compared with another if one
// is chosen.
import { getProfile, type ProfileName } from "../../core/api_profile";
import { recordProfile } from "../../core/examples";
import { get } from "../../core/http";
import { selection } from "../../core/model";
import { useLoaded, useStore } from "../../core/store";
import { type TextKey, useText } from "../../core/text";
import { useOwn } from "../../core/view";
import { Empty, Failed, Loading, LoadingFile } from "../../widgets/notice";
import { ClusterView } from "./cluster";
import { DataPipelineView } from "./data_pipeline";
import { DeviceTime } from "./device_time";
import { FlameView } from "./flame_view";
import { OperatorsView } from "./operators";
import { ProfileOverview } from "./overview";
import { ResourcesView } from "./resources";
import { StepsView } from "./steps";
import { TimelineView } from "./timeline_view";

const tabs = ["timeline", "steps", "operators", "flame", "data", "resources", "ranks"] as const;
type Tab = (typeof tabs)[number];
const tabNames: Record<Tab, TextKey> = {
  timeline: "timeline",
  steps: "stepTrace",
  operators: "operators",
  data: "dataPipeline",
  resources: "resources",
  flame: "flame",
  ranks: "cluster",
};

/** The default profile: that of the first selected run that has one, or else the first. */
export function firstProfile(
  list: readonly ProfileName[],
  selected: readonly string[],
): ProfileName | undefined {
  for (const run of selected) {
    const own = list.find((profile) => profile.run === run);
    if (own) return own;
  }
  return list[0];
}

/**
 * The profile that the address names. If it is missing no other is shown, whose figures would be
 * mistaken for its own.
 */
export function chosenProfile(
  list: readonly ProfileName[],
  named: string,
  selected: readonly string[],
): ProfileName | undefined {
  return named === "" ? firstProfile(list, selected) : list.find((one) => one.profile === named);
}

function OneProfile({ profile, before }: { profile: string; before: string }) {
  const t = useText();
  const [own, change] = useOwn("profile");
  const { data: info, error } = useLoaded(profile, (signal) => getProfile(profile, signal));
  const { data: steps, error: stepsError } = useLoaded(profile, (signal) =>
    get("profile/steps", { profile }, signal),
  );
  if (error) return <Failed error={error} />;
  if (!info || info.profile !== profile) return <LoadingFile />;
  const tab = tabs.find((one) => one === own.tab) ?? "timeline";
  return (
    <>
      <ProfileOverview info={info} steps={steps} before={before} />
      <nav class="tabs inner" aria-label={t("profileViews")}>
        {tabs.map((one) => (
          <button
            key={one}
            type="button"
            class="plain"
            aria-current={one === tab ? "page" : undefined}
            onClick={() => change({ tab: one, flame: "" })}
          >
            {t(tabNames[one])}
          </button>
        ))}
      </nav>
      {tab === "timeline" &&
        (info.spans > 0 ? (
          <TimelineView info={info} steps={steps} />
        ) : (
          <p class="muted">{t("noSpans")}</p>
        ))}
      {tab === "steps" &&
        (steps ? (
          <>
            <DeviceTime steps={steps} />
            <StepsView steps={steps} />
          </>
        ) : stepsError ? (
          <Failed error={stepsError} />
        ) : (
          <LoadingFile />
        ))}
      {tab === "operators" && <OperatorsView profile={profile} />}
      {tab === "data" && <DataPipelineView profile={profile} />}
      {tab === "flame" && <FlameView profile={profile} />}
      {tab === "ranks" && <ClusterView profile={profile} />}
      {tab === "resources" && <ResourcesView info={info} />}
    </>
  );
}

export function Profile() {
  const t = useText();
  const selected = useStore(selection);
  const [own, change] = useOwn("profile");
  // Loaded again for another name in the address, since a profile may have been recorded.
  const { data, error, loading } = useLoaded(
    `profiles ${own.profile}`,
    async (signal) => (await get("profiles", {}, signal)).profiles,
  );
  const chosen = chosenProfile(data ?? [], own.profile, selected);
  const before = data?.find((one) => one.profile === own.before && one !== chosen)?.profile ?? "";
  if (error) return <Failed error={error} />;
  if (!data) return <Loading />;
  if (!chosen && loading) return <Loading />;
  if (data.length === 0) return <Empty title={t("noProfiles")} code={recordProfile} />;
  const option = (one: ProfileName) => (
    <option key={one.profile} value={one.profile}>
      {one.profile} ({one.format})
    </option>
  );
  return (
    <div class="profile-page">
      <div class="bar">
        <label>
          {t("profile")}{" "}
          <select
            aria-label={t("profile")}
            value={chosen?.profile ?? ""}
            onChange={(event) => change({ profile: event.currentTarget.value, window: null })}
          >
            {!chosen && <option value="">–</option>}
            {data.map(option)}
          </select>
        </label>
        {data.length > 1 && (
          <label>
            {t("compareWith")}{" "}
            <select
              aria-label={t("compareWith")}
              value={before}
              onChange={(event) => change({ before: event.currentTarget.value })}
            >
              <option value="">–</option>
              {data.filter((one) => one !== chosen).map(option)}
            </select>
          </label>
        )}
      </div>
      {chosen ? (
        <OneProfile key={chosen.profile} profile={chosen.profile} before={before} />
      ) : (
        <Empty title={t("profileGone", own.profile)} />
      )}
    </div>
  );
}
