// What costs most, in words: each finding with its evidence and what to try.
import type { Finding } from "../../core/api_profile";
import { useText } from "../../core/text";

export function Findings({ findings }: { findings: readonly Finding[] }) {
  const t = useText();
  if (findings.length === 0) return null;
  return (
    <ul class="advice">
      {findings.map((one) => (
        <li key={one.rule + one.subject}>
          <b>{one.what}</b> {one.evidence.replace(/[^.]$/, "$&.")}{" "}
          <span>{t("try", one.change.replace(/\.$/, ""))}</span>
        </li>
      ))}
    </ul>
  );
}
