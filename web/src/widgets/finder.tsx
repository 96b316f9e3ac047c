// Ctrl K: finds pages, tags and runs.
import { Fragment } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { runs, tags, toggleRun } from "../core/model";
import { useStore } from "../core/store";
import { useText } from "../core/text";
import { goTo } from "../core/view";
import { pageOfKind, pages } from "../core/view_state";

const shown = 40;

interface Found {
  label: string;
  what: string;
  go: () => void;
}

export function Finder({ onClose }: { onClose: () => void }) {
  const t = useText();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const { list } = useStore(runs);
  const tagList = useStore(tags).list;
  useEffect(() => dialog.current?.showModal(), []);

  const wanted = text.toLowerCase();
  const matching: Found[] = [];
  const add = (label: string, what: string, go: () => void) => {
    if (label.toLowerCase().includes(wanted)) matching.push({ label, what, go });
  };
  for (const page of pages) add(t(page), t("pages"), () => goTo(page));
  if (text !== "") {
    for (const tag of tagList) {
      const page = pageOfKind[tag.kind];
      if (page) add(tag.tag, t(page), () => goTo(page, { filter: tag.tag }));
    }
    for (const run of list) add(run.name, t("runs"), () => toggleRun(run.id));
  }
  const begins = (entry: Found) => Number(entry.label.toLowerCase().startsWith(wanted));
  const found = matching.sort((a, b) => begins(b) - begins(a)).slice(0, shown);
  const chosen = Math.min(at, found.length - 1);
  const go = (entry: Found | undefined) => {
    if (!entry) return;
    onClose();
    entry.go();
  };
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={t("search")}>
      <input
        type="search"
        class="query"
        role="combobox"
        aria-expanded="true"
        aria-controls="found"
        aria-label={t("search")}
        autofocus
        aria-activedescendant={chosen >= 0 ? `found-${chosen}` : undefined}
        placeholder={t("search")}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setAt(Math.min(chosen + 1, found.length - 1));
          else if (event.key === "ArrowUp") setAt(Math.max(chosen - 1, 0));
          else if (event.key === "Enter") go(found[chosen]);
          else if (event.key === "Escape")
            onClose(); // The browser would clear the field first.
          else return;
          event.preventDefault();
        }}
      />
      <ul class="found" id="found" role="listbox" aria-label={t("search")}>
        {found.map((entry, i) => (
          <li
            key={entry.what + entry.label}
            id={`found-${i}`}
            role="option"
            aria-selected={i === chosen}
            onClick={() => go(entry)}
          >
            <span>{entry.label}</span>
            <span class="muted">{entry.what}</span>
          </li>
        ))}
      </ul>
    </dialog>
  );
}

export function KeyHelp({ onClose }: { onClose: () => void }) {
  const t = useText();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current!.showModal();
    dialog.current!.scrollTop = 0; // The browser focuses the button at the end.
  }, []);
  const keys: [string, string][] = [
    [`1 – ${pages.length}`, t("keyPages")],
    ["j, k", t("keyRuns")],
    ["x", t("keySelect")],
    ["/", t("keyFilter")],
    ["Ctrl K", t("keyFind")],
    ["← →", t("keyCursor")],
    ["+ −", t("keyZoom")],
    ["0", t("keyReset")],
    ["f", t("keyFull")],
    ["p", t("keyPin")],
    ["Enter", t("keyTable")],
    ["c", t("copy")],
    ["s", t("keySmooth")],
    ["l", t("keyLog")],
    ["d", t("keyTheme")],
    ["w s a d", t("keyTimeline")],
    ["?", t("keyHelp")],
  ];
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={t("keys")}>
      <h2>{t("keys")}</h2>
      <dl class="keys">
        {keys.map(([key, what]) => (
          <Fragment key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </Fragment>
        ))}
      </dl>
      <h2>{t("words")}</h2>
      <dl class="words-explained">
        {(["query", "objective", "facets", "importance"] as const).map((word) => (
          <Fragment key={word}>
            <dt>{t(`${word}Word`)}</dt>
            <dd>{t(`${word}Explained`)}</dd>
          </Fragment>
        ))}
      </dl>
      <p>
        <button type="button" onClick={() => dialog.current?.close()}>
          {t("close")}
        </button>
      </p>
    </dialog>
  );
}
