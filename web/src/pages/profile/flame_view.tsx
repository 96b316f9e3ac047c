// Shows where the time of nested calls goes. A click on a box shows it alone.
import { useMemo, useRef, useState } from "preact/hooks";
import { hue, inkOnHue, slotOf, theme } from "../../core/colors";
import { formatCount, formatNs, formatShare } from "../../core/format";
import { get } from "../../core/http";
import { saveText } from "../../core/save";
import { useSize } from "../../core/size";
import { useLoaded, useStore } from "../../core/store";
import { useText } from "../../core/text";
import { useOwn } from "../../core/view";
import { Failed, LoadingFile } from "../../widgets/notice";
import { boxesOf, type Frame, frameAt, treeOf } from "./flame";

const rowHeight = 18;
const rowsAtMost = 300;

/** The names with the most time of their own, over all callers. */
function mostOwn(root: Frame): { name: string; own: number; count: number }[] {
  const all = new Map<string, { name: string; own: number; count: number }>();
  const visit = (frame: Frame) => {
    const of = all.get(frame.name) ?? { name: frame.name, own: 0, count: 0 };
    all.set(frame.name, { ...of, own: of.own + frame.own, count: of.count + frame.count });
    frame.children.forEach(visit);
  };
  visit(root);
  return [...all.values()].filter(({ own }) => own > 0).sort((a, b) => b.own - a.own);
}

export function FlameView({ profile }: { profile: string }) {
  const t = useText();
  const scheme = useStore(theme);
  const [{ flame: path }, change] = useOwn("profile");
  const box = useRef<HTMLDivElement>(null);
  const { width } = useSize(box);
  const [text, setText] = useState("");
  const { data, error } = useLoaded(profile, (signal) => get("profile/flame", { profile }, signal));
  const root = useMemo(() => (data ? treeOf(data.stacks, t("partAll")) : null), [data, t]);
  const shown = root && frameAt(root, path);
  const boxes = useMemo(
    () => (shown ? boxesOf(shown, 1 / Math.max(200, width)) : []),
    [shown, width],
  );
  const own = useMemo(() => (shown ? mostOwn(shown) : []), [shown]);
  if (error) return <Failed error={error} />;
  if (data && data.stacks.length === 0) return <p class="muted">{t("noSpans")}</p>;
  const wanted = text.toLowerCase();
  const found =
    wanted === ""
      ? 0
      : boxes.filter(({ frame }) => frame.name.toLowerCase().includes(wanted)).length;
  const depth = boxes.reduce((most, one) => Math.max(most, one.depth), 0);
  const save = () =>
    saveText(
      "flame.folded",
      data!.stacks.map(({ stack, nanos }) => `${stack} ${nanos}\n`).join(""),
      "text/plain",
    );
  return (
    <div>
      <div class="bar">
        <button type="button" disabled={path === ""} onClick={() => change({ flame: "" })}>
          {t("reset")}
        </button>
        <input
          type="search"
          class="filter"
          aria-label={t("findSpan")}
          placeholder={t("findSpan")}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {wanted !== "" && (
          <span class="muted" role="status">
            {t("matches", formatCount(found))}
          </span>
        )}
        <button type="button" disabled={!data} onClick={save} title="flamegraph.pl, speedscope">
          {t("saveFolded")}
        </button>
        <span class="muted">{t("flameHint")}</span>
      </div>
      {!data && <LoadingFile />}
      <div
        class="flame"
        ref={box}
        role="group"
        aria-label={t("flame")}
        style={{ height: `${(depth + 1) * rowHeight}px` }}
      >
        {boxes.map(({ frame, depth: row, from, share }) => {
          const slot = slotOf({ name: frame.name, type: "" });
          const faint = wanted !== "" && !frame.name.toLowerCase().includes(wanted);
          const says = `${frame.name}: ${formatNs(frame.total)} (${formatShare(root!.total > 0 ? frame.total / root!.total : 0)}), ${t("selfTime")} ${formatNs(frame.own)}`;
          return (
            <button
              key={frame.path}
              type="button"
              title={says}
              aria-label={says}
              class={faint ? "faint" : ""}
              onClick={() => change({ flame: frame.path })}
              style={{
                left: `${from * 100}%`,
                width: `${share * 100}%`,
                top: `${row * rowHeight}px`,
                background: row === 0 ? "var(--hairline)" : hue(scheme, slot),
                color: row === 0 ? "var(--text)" : inkOnHue(scheme, slot),
              }}
            >
              {share * width > 30 ? frame.name : ""}
            </button>
          );
        })}
      </div>
      {data && (data.left_out ?? 0) > 0 && (
        <p class="muted">{t("stacksLeftOut", formatCount(data.left_out!))}</p>
      )}
      <div class="grid-wrap" tabIndex={0} role="region" aria-label={t("selfTime")}>
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{t("spanName")}</th>
              <th scope="col">{t("selfTime")}</th>
              <th scope="col">{t("share")}</th>
              <th scope="col">{t("count")}</th>
            </tr>
          </thead>
          <tbody>
            {own.slice(0, rowsAtMost).map((row) => (
              <tr key={row.name}>
                <td class="mono cut" title={row.name}>
                  {row.name}
                </td>
                <td>{formatNs(row.own)}</td>
                <td>{formatShare(shown && shown.total > 0 ? row.own / shown.total : 0)}</td>
                <td>{formatCount(row.count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
