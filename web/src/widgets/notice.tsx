// The states that a part can be in without data: loading, empty (what to do), failed.
import { useText } from "../core/text";

export function Loading() {
  const t = useText();
  return (
    <p class="muted" role="status">
      {t("loading")}…
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

/** Nothing to show: says so, and shows the lines that record it, or a button that leads on. */
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
