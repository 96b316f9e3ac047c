// The details of a run, and what people add to it: name, note, tags, colour.
import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { RunDetail } from "../../core/api";
import { hue, runHues, theme } from "../../core/colors";
import { formatBytes, formatCount, lineageText, naturally } from "../../core/format";
import { get } from "../../core/http";
import { type KeptRun, keepRun, kept } from "../../core/kept";
import { isChanged, namedParts, runOf } from "../../core/model";
import { Store, useLoaded, useStore } from "../../core/store";
import { useText } from "../../core/text";
import { Failed, Loading } from "../../widgets/notice";

/** The run whose details are shown; "": none. */
export const openRun = new Store("");

const rowsAtMost = 200;

/** How many are not listed. */
function More({ total, listed }: { total: number; listed: number }) {
  const t = useText();
  return total > listed ? <p class="muted">{t("andMore", formatCount(total - listed))}</p> : null;
}

function ColourChoice({
  value,
  onChange,
}: {
  value: number | undefined;
  onChange: (slot: number | undefined) => void;
}) {
  const t = useText();
  const scheme = useStore(theme);
  return (
    <fieldset class="colours">
      <legend>{t("runColour")}</legend>
      <label>
        <input
          type="radio"
          name="colour"
          checked={value === undefined}
          onChange={() => onChange(undefined)}
        />
        {t("anyColour")}
      </label>
      {runHues.light.map((_, slot) => (
        <label key={slot}>
          <input
            type="radio"
            name="colour"
            aria-label={t("colourOf", slot + 1)}
            checked={value === slot}
            onChange={() => onChange(slot)}
          />
          <i style={{ background: hue(scheme, slot) }} />
        </label>
      ))}
    </fieldset>
  );
}

/** A field that is saved when it loses focus. */
function Field({
  label,
  hint,
  value,
  several,
  onChange,
}: {
  label: string;
  hint?: string;
  value: string;
  several?: boolean;
  onChange: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const common = {
    value: text,
    placeholder: hint ?? "",
    onInput: (event: { currentTarget: { value: string } }) => setText(event.currentTarget.value),
    onChange: () => onChange(text.trim()),
  };
  return (
    <label class="field">
      <span class="muted">{label}</span>
      {several ? <textarea rows={3} {...common} /> : <input type="text" {...common} />}
    </label>
  );
}

function Added({ run }: { run: string }) {
  const t = useText();
  const { runs, server } = useStore(kept);
  const own = runs[run] ?? {};
  const [error, setError] = useState("");
  const keep = (change: KeptRun) =>
    keepRun(run, change).then(
      () => setError(""),
      (problem: Error) => setError(problem.message),
    );
  return (
    <section>
      <Field
        label={t("ownName")}
        hint={run}
        value={own.name ?? ""}
        onChange={(name) => void keep({ name })}
      />
      <Field
        label={t("note")}
        value={own.note ?? ""}
        several
        onChange={(note) => void keep({ note })}
      />
      <Field
        label={t("runTags")}
        hint={t("runTagsHint")}
        value={(own.tags ?? []).join(", ")}
        onChange={(text) =>
          void keep({
            tags: [
              ...new Set(
                text
                  .split(",")
                  .map((tag) => tag.trim())
                  .filter((tag) => tag !== ""),
              ),
            ],
          })
        }
      />
      <ColourChoice value={own.color} onChange={(color) => void keep({ color })} />
      <p class="bar">
        <label>
          <input
            type="checkbox"
            checked={own.pinned ?? false}
            onChange={(event) => void keep({ pinned: event.currentTarget.checked })}
          />
          {t("pinRun")}
        </label>
        <label>
          <input
            type="checkbox"
            checked={own.hidden ?? false}
            onChange={(event) => void keep({ hidden: event.currentTarget.checked })}
          />
          {t("hideRun")}
        </label>
      </p>
      <p class="muted">{t(server ? "keptByServer" : "keptByBrowser")}</p>
      {error && (
        <p class="danger" role="alert">
          {t("notKept", error)}
        </p>
      )}
    </section>
  );
}

const partsAtMost = 50;

const hasWords = ({ name, note, tags }: KeptRun = {}) => Boolean(name || note || tags?.length);

/** Notes that were written when a directory of the run was listed by itself. */
function NotesOfParts({ run }: { run: string }) {
  const t = useText();
  const { runs: noted } = useStore(kept);
  const below = Object.keys(noted)
    .filter((id) => runOf(id) === undefined && isChanged(id, new Set([run])) && hasWords(noted[id]))
    .sort(naturally)
    .slice(0, partsAtMost);
  const { data: parts } = useLoaded(below.join("\n"), () => namedParts(below));
  if (!parts || parts.length === 0) return null;
  return (
    <>
      <h3>{t("notesOfParts")}</h3>
      <dl class="pairs">
        {parts.map((id) => {
          const { name = "", tags = [], note = "" } = noted[id] ?? {};
          return (
            <Fragment key={id}>
              <dt>{id}</dt>
              <dd>{[name, ...tags, note].filter((text) => text !== "").join(t("listComma"))}</dd>
            </Fragment>
          );
        })}
      </dl>
    </>
  );
}

function Recorded({ detail }: { detail: RunDetail }) {
  const t = useText();
  const { totals, damage_regions: damage } = detail;
  const broken = detail.files.filter((file) => file.error);
  const settings = Object.entries(detail.lineage).sort(([a], [b]) => naturally(a, b));
  return (
    <section>
      {settings.length > 0 && (
        <>
          <h3>{t("settingsShown")}</h3>
          <dl class="pairs">
            {settings.slice(0, rowsAtMost).map(([key, value]) => (
              <Fragment key={key}>
                <dt>{key}</dt>
                <dd class="mono">{lineageText(value)}</dd>
              </Fragment>
            ))}
          </dl>
        </>
      )}
      <dl class="pairs">
        <dt>{t("directory")}</dt>
        <dd class="mono">{detail.directory}</dd>
      </dl>
      {detail.parts > 0 && <p class="muted">{t("joinedOf", formatCount(detail.parts))}</p>}
      {detail.parts > 0 && <NotesOfParts run={detail.id} />}
      {damage.length + broken.length === 0 ? (
        <p class="muted">{t("noDamage")}</p>
      ) : (
        <>
          <h3 class="danger">{t("damageHead")}</h3>
          <ul class="plain-list">
            {damage.map((region, i) => (
              <li key={i}>
                {t(
                  "damageRow",
                  region.file,
                  formatBytes(region.length),
                  formatBytes(region.offset),
                  region.reason,
                )}
              </li>
            ))}
            {broken.map((file) => (
              <li key={file.file}>
                {file.file}: {file.error}
              </li>
            ))}
          </ul>
          <More total={totals.damage_regions} listed={damage.length} />
        </>
      )}
      <h3>{t("filesHead")}</h3>
      <div class="grid-wrap" tabIndex={0} role="region" aria-label={t("filesHead")}>
        <table class="data">
          <thead>
            <tr>
              <th scope="col">{t("file")}</th>
              <th scope="col">{t("size")}</th>
              <th scope="col">{t("records")}</th>
            </tr>
          </thead>
          <tbody>
            {detail.files.map((file) => (
              <tr key={file.file}>
                <td class="mono">{file.file}</td>
                <td>{formatBytes(file.bytes)}</td>
                <td>{formatCount(file.records)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <More total={totals.files} listed={detail.files.length} />
      </div>
      {(detail.sessions ?? []).length > 1 && (
        <>
          <h3>{t("sessionsHead")}</h3>
          <ul class="plain-list">
            {detail.sessions.map((one) => (
              <li key={one.session}>
                <code>{one.session.slice(0, 8)}</code> {one.writer}
                {one.resume_from_step === undefined
                  ? ""
                  : `, ${t("resumedFrom", formatCount(one.resume_from_step))}`}
              </li>
            ))}
          </ul>
          <More total={totals.sessions} listed={detail.sessions.length} />
        </>
      )}
    </section>
  );
}

export function RunDialog({ run }: { run: string }) {
  const t = useText();
  useStore(kept);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const { data, error } = useLoaded(run, (signal) => get("run", { run, limit: 0 }, signal));
  const name = runOf(run)?.name ?? run;
  return (
    <dialog
      ref={dialog}
      class="wide"
      onClose={() => openRun.set("")}
      aria-label={t("runDetails", name)}
    >
      <h2>{name}</h2>
      <div class="two">
        <Added run={run} />
        {error ? <Failed error={error} /> : data ? <Recorded detail={data} /> : <Loading />}
      </div>
      <p>
        <button type="button" onClick={() => dialog.current?.close()}>
          {t("close")}
        </button>
      </p>
    </dialog>
  );
}
