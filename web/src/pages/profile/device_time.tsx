// What a device did from its first task to its last, and what the host did while it waited.
import type { Steps } from "../../core/api_profile";
import { formatNs, formatShare } from "../../core/format";
import { type TextKey, useText } from "../../core/text";
import { StepBar } from "./steps";

type Use = NonNullable<Steps["use"]>;

export interface TimePart {
  name: TextKey;
  time: number;
  slot: number;
}

/** The parts of a device's time, which add up to its total; idle time by cause, where it is known. */
export function deviceParts(use: Use): TimePart[] {
  const causes = use.idle_causes;
  const idle: TimePart[] = causes
    ? [
        { name: "idleForHost", time: causes.for_host, slot: 1 },
        { name: "idleBetween", time: causes.between_kernels, slot: 6 },
        { name: "idleOther", time: causes.other, slot: 7 },
      ]
    : [{ name: "deviceIdle", time: use.idle, slot: 7 }];
  const busy: TimePart[] = [
    { name: "computing", time: use.computing, slot: 0 },
    { name: "communicationAlone", time: use.communication_alone, slot: 2 },
    { name: "copyAlone", time: use.copy_alone, slot: 3 },
  ];
  return [...busy, ...idle].filter((part) => part.time > 0);
}

export function DeviceTime({ steps }: { steps: Steps }) {
  const t = useText();
  const use = steps.use;
  // Without launches, the figures may be those of a table or of the host.
  if (!use?.idle_causes || use.total <= 0) return null;
  const parts = deviceParts(use);
  const share = (time: number) => `${formatNs(time)} (${formatShare(time / use.total)})`;
  return (
    <section aria-label={t("deviceTime")}>
      <h3>{t("deviceTime")}</h3>
      <p class="muted">{t("deviceTimeHint")}</p>
      <StepBar
        total={use.total}
        parts={parts.map((part) => ({ name: t(part.name), time: part.time, slot: part.slot }))}
      />
      <p>{parts.map((part) => `${t(part.name)} ${share(part.time)}`).join(" · ")}</p>
      {steps.host_while_idle.length > 0 && (
        <div class="grid-wrap" tabIndex={0} role="region" aria-label={t("hostMeanwhile")}>
          <table class="data">
            <thead>
              <tr>
                <th scope="col">{t("hostMeanwhile")}</th>
                <th scope="col">{t("total")}</th>
                <th scope="col">{t("longestCall")}</th>
              </tr>
            </thead>
            <tbody>
              {steps.host_while_idle.map((one) => (
                <tr key={one.doing}>
                  <td>{t(`doing_${one.doing}` as TextKey)}</td>
                  <td>{share(one.time)}</td>
                  <td>{one.call && `${one.call} ${formatNs(one.call_time)}`}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
