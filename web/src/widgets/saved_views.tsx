// Opens, saves and removes named views.
import { useEffect, useRef, useState } from "preact/hooks";
import { writeView } from "../core/address";
import { keepLayout, kept } from "../core/kept";
import { runs } from "../core/model";
import { useStore } from "../core/store";
import { useText } from "../core/text";
import { openView, view } from "../core/view";
import { Icon } from "./icons";

export function SavedViews() {
  const t = useText();
  const { layouts, server } = useStore(kept);
  const [name, setName] = useState("");
  const [error, setError] = useState("");
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const away = (event: Event) => {
      if (box.current && !box.current.contains(event.target as Node)) box.current.open = false;
    };
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, []);
  const keep = (key: string, fragment: string | null) =>
    keepLayout(key, fragment).then(
      () => setError(""),
      (problem: Error) => setError(problem.message),
    );
  const save = () => {
    if (name.trim() === "") return;
    void keep(
      name.trim(),
      writeView(
        view.get(),
        runs.get().list.map((run) => run.id),
      ),
    );
    setName("");
  };
  const names = Object.keys(layouts).sort((a, b) => a.localeCompare(b));
  return (
    <details
      class="menu"
      ref={box}
      onKeyDown={(event) => {
        if (event.key === "Escape" && box.current) box.current.open = false;
      }}
    >
      <summary title={t("savedViews")}>
        <Icon name="views" /> <span class="words">{t("savedViews")}</span>
      </summary>
      <div class="sheet">
        {names.length === 0 ? (
          <p class="muted">{t("noViews")}</p>
        ) : (
          <ul class="plain-list">
            {names.map((key) => (
              <li key={key}>
                <button
                  type="button"
                  class="plain"
                  onClick={() => {
                    openView(layouts[key]!);
                    box.current!.open = false;
                  }}
                >
                  {key}
                </button>
                <button
                  type="button"
                  class="plain"
                  aria-label={t("removeView", key)}
                  title={t("removeView", key)}
                  onClick={() => void keep(key, null)}
                >
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        )}
        <label>
          {t("saveView")}{" "}
          <input
            type="text"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
            onKeyDown={(event) => event.key === "Enter" && save()}
          />
        </label>
        <button type="button" disabled={name.trim() === ""} onClick={save}>
          {t("save")}
        </button>
        <p class="muted">{t(server ? "keptByServer" : "keptByBrowser")}</p>
        {error && (
          <p class="danger" role="alert">
            {t("notKept", error)}
          </p>
        )}
      </div>
    </details>
  );
}
