// The states without data: loading, failed, and empty with what to do.
import { formatBytes } from "../core/format";
import { importing } from "../core/http";
import { useStore } from "../core/store";
import { useText } from "../core/text";

export function Loading() {
  const t = useText();
  return (
    <p class="muted" role="status">
      {t("loading")}…
    </p>
  );
}

/** The same for data of a large file: shows how much of it the server has read. */
export function LoadingFile() {
  const t = useText();
  const all = [...useStore(importing).values()];
  if (all.length === 0) return <Loading />;
  const { bytes, total } = all.reduce((a, b) => (b.total > a.total ? b : a));
  return (
    <p class="muted">
      <span role="status">{t("importing")}…</span>{" "}
      {total > 0 && (
        <>
          <progress value={bytes} max={total} aria-label={t("importing")} />{" "}
          {t("bytesOf", formatBytes(bytes), formatBytes(total))}
        </>
      )}
    </p>
  );
}

export function Failed({ error }: { error: Error }) {
  const t = useText();
  return (
    <p class="danger" role="alert">
      {t("failed", error.message)}
    </p>
  );
}

/** Says that there is nothing to show, with code that records something or a button. */
export function Empty({
  title,
  code,
  action,
  onAction,
}: {
  title: string;
  code?: string;
  action?: string;
  onAction?: () => void;
}) {
  return (
    <div class="notice">
      <p>{title}</p>
      {code && <pre>{code}</pre>}
      {action && (
        <p>
          <button type="button" onClick={onAction}>
            {action}
          </button>
        </p>
      )}
    </div>
  );
}
