import { useEffect, useState } from "preact/hooks";
import { useStore } from "../core/store";
import { useText } from "../core/text";
import { setView, view } from "../core/view";

/** The filter of tags. It applies at each key. */
export function TagFilter({ error }: { error: string }) {
  const t = useText();
  const { filter } = useStore(view);
  const [text, setText] = useState(filter);
  useEffect(() => setText(filter), [filter]);
  return (
    <>
      <input
        type="search"
        class="filter"
        aria-label={t("tagFilter")}
        placeholder={t("tagFilter")}
        value={text}
        aria-invalid={error !== ""}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setView({ filter: event.currentTarget.value }, true);
        }}
      />
      {error && (
        <span class="danger" role="alert">
          {t("badPattern", error)}
        </span>
      )}
    </>
  );
}
