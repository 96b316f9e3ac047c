// What costs most, in words: each finding with its evidence and what to try.
import type { Finding } from "../../core/api_profile";
import { language, useText } from "../../core/text";
import { findingInChinese } from "./finding_text";

export function Findings({ findings }: { findings: readonly Finding[] }) {
  const t = useText();
  if (findings.length === 0) return null;
  const shown = (sentence: string) =>
    language.get() === "zh" ? findingInChinese(sentence) : sentence;
  return (
    <ul class="advice">
      {findings.map((one) => (
        <li key={one.rule + one.subject}>
          <b>{shown(one.what)}</b> {t("measured", shown(one.evidence.replace(/\.$/, "")))}{" "}
          <span>{t("try", shown(one.change.replace(/\.$/, "")))}</span>
        </li>
      ))}
    </ul>
  );
}
