// The states that a part can be in without data: loading, empty (what to do), failed.
import { useText } from "../text";

export function Loading() {
  const t = useText();
  return <p class="muted" role="status">{t("loading")}…</p>;
}

export function Failed({ error }: { error: Error }) {
  const t = useText();
  return <p class="danger" role="alert">{t("failed", error.message)}</p>;
}

/** Nothing to show: says so, and shows the lines that record it. */
export function Empty({ title, code }: { title: string; code?: string }) {
  return (
    <div class="notice">
      <p>{title}</p>
      {code && <pre>{code}</pre>}
    </div>
  );
}
