// What a device did from its first task to its last, and what the host did while it waited.
import type { Steps } from "../../core/api_profile";
import { formatNs, formatShare } from "../../core/format";
import { useText } from "../../core/text";
import { StepBar } from "./steps";

type Use = NonNullable<Steps["use"]>;

/** The colours of the parts of a device's time, on every view of them. */
export const deviceSlots = {
  computing: 0,
  communicationAlone: 3,
  copyAlone: 2,
  idleForHost: 1,
  idleBetween: 6,
  idleOther: 7,
  deviceIdle: 7,
} as const;

export interface TimePart {
  name: keyof typeof deviceSlots;
  time: number;
}

/** The parts of a device's time, which add up to its total; idle time by cause, where it is known. */
export function deviceParts(use: Use): TimePart[] {
  const causes = use.idle_causes;
  const idle: TimePart[] = causes
    ? [
        { name: "idleForHost", time: causes.for_host },
        { name: "idleBetween", time: causes.between_kernels },
        { name: "idleOther", time: causes.other },
      ]
    : [{ name: "deviceIdle", time: use.idle }];
  const busy: TimePart[] = [
    { name: "computing", time: use.computing },
    { name: "communicationAlone", time: use.communication_alone },
    { name: "copyAlone", time: use.copy_alone },
  ];
  return [...busy, ...idle].filter((part) => part.time > 0);
}

export function DeviceBar({ use }: { use: Use }) {
  const t = useText();
  const parts = deviceParts(use).map(({ name, time }) => ({
    name: t(name),
    time,
    slot: deviceSlots[name],
  }));
  return <StepBar total={use.total} parts={parts} />;
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
      <DeviceBar use={use} />
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
                  <td>{t(`doing_${one.doing}`)}</td>
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
