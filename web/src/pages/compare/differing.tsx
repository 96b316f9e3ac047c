// What differs between two runs beside their values.
import type { Comparison, RunDifference } from "../../core/api_compare";
import { keepEnd, shortValue } from "../../core/format";
import { type TextKey, useText } from "../../core/text";
import { useMore } from "../../widgets/more";

const kindNames: Record<RunDifference["kind"], TextKey> = {
  setting: "kindSetting",
  code: "kindCode",
  package: "kindPackage",
  machine: "kindMachine",
  launch: "kindLaunch",
};

// Rows that are made at once.
const part = 50;

export function Differing({ found }: { found: Comparison }) {
  const t = useText();
  const { differences } = found;
  const { shown, end } = useMore(differences.length, part, "");
  const unknown = [
    { side: "A", kinds: found.unknown_in_a },
    { side: "B", kinds: found.unknown_in_b },
  ].filter(({ kinds }) => kinds.length > 0);
  return (
    <section aria-label={t("whatDiffers")}>
      <h2>{t("whatDiffers")}</h2>
      {differences.length > 0 && (
        <div class="grid-wrap" tabIndex={0} role="region" aria-label={t("whatDiffers")}>
          <table class="data compared">
            <thead>
              <tr>
                <th scope="col" colSpan={2}>
                  {t("parameter")}
                </th>
                <th scope="col" class="text">
                  A
                </th>
                <th scope="col" class="text">
                  B
                </th>
              </tr>
            </thead>
            <tbody>
              {differences.slice(0, shown).map(({ kind, name, a, b }) => (
                <tr key={`${kind} ${name}`}>
                  <td class="text muted">{t(kindNames[kind])}</td>
                  <th scope="row" title={name}>
                    {keepEnd(name, 30)}
                  </th>
                  {[a, b].map((value, i) => (
                    <td key={i} class="text" title={value}>
                      {value === "" ? "–" : shortValue(value, 28)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {end}
        </div>
      )}
      {unknown.map(({ side, kinds }) => (
        <p key={side} class="muted">
          {t("recordedNothing", side, kinds.map((kind) => t(kindNames[kind])).join(t("listComma")))}
        </p>
      ))}
      {differences.length === 0 && unknown.length === 0 && (
        <p class="muted">{t("nothingElseDiffers")}</p>
      )}
    </section>
  );
}
