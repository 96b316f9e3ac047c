// The tiles of the overview: each leads to a page and shows a little of it.
import type { ComponentChildren } from "preact";
import { LineChart } from "../../chart/line_chart";
import type { TagOfRuns } from "../../core/api";
import { formatCount } from "../../core/format";
import { selection, tags } from "../../core/model";
import { countOn } from "../../core/plugins";
import { requestsOf } from "../../core/series";
import { useLoaded, useStore } from "../../core/store";
import { useText } from "../../core/text";
import { goTo } from "../../core/view";
import { type Page, pages } from "../../core/view_state";

// The small chart shows at most this many runs.
const runsAtMost = 20;
const pictured: readonly Page[] = ["scalars", "distributions", "media", "landscape"];

/** The most informative tag for a small picture: a second metric, or a layer's weights. */
export function telling(
  list: readonly TagOfRuns[],
  kind: string,
  objectives: ReadonlySet<string>,
): TagOfRuns | undefined {
  const all = list.filter((tag) => tag.kind === kind);
  const liked = kind === "scalar" ? /acc|val|eval|reward|f1|iou/i : /weight|kernel/i;
  const others = all.filter((tag) => !objectives.has(tag.tag));
  return (
    others.find((tag) => liked.test(tag.tag)) ??
    others[0] ??
    (kind === "scalar" ? undefined : all[0])
  );
}

function Tile({
  page,
  count,
  children,
}: {
  page: Page;
  count: number | undefined;
  children?: ComponentChildren;
}) {
  const t = useText();
  return (
    <div class={`card tile${count === 0 ? " none" : ""}`}>
      <a
        href={`#/${page}`}
        onClick={(event) => {
          event.preventDefault();
          goTo(page);
        }}
      >
        <b>{t(page)}</b>
        <span class="muted">{count === undefined ? "" : formatCount(count)}</span>
      </a>
      {children && (
        <div class="glimpse" inert aria-hidden="true">
          {children}
        </div>
      )}
    </div>
  );
}

/** Loads the script of the pictures when there is something to draw. */
function Later({ tag }: { tag: TagOfRuns }) {
  const run = useStore(selection).find((id) => tag.runs.includes(id));
  const { data } = useLoaded("pictures", async () => ({
    TilePicture: (await import("./tile_pictures")).TilePicture,
  }));
  return data && run !== undefined ? (
    <data.TilePicture tag={tag} run={run} />
  ) : (
    <div class="drawn" />
  );
}

export function Tiles({ objectives }: { objectives: ReadonlySet<string> }) {
  const t = useText();
  const { list } = useStore(tags);
  const chosen = useStore(selection);
  const glimpse = (page: Page): ComponentChildren => {
    const tag = telling(
      list,
      { scalars: "scalar", distributions: "histogram", media: "image", landscape: "landscape" }[
        page as string
      ] ?? "",
      objectives,
    );
    if (!tag) return null;
    if (page !== "scalars") return <Later tag={tag} />;
    return (
      <>
        <span class="tag muted">{tag.tag}</span>
        <LineChart compact tag={tag.tag} requests={requestsOf(tag, chosen.slice(0, runsAtMost))} />
      </>
    );
  };
  const others = pages.filter((page) => page !== "overview");
  const shown = new Map(
    pictured.map((page) => [page, glimpse(page)] as const).filter(([, picture]) => picture),
  );
  return (
    <nav aria-label={t("pages")}>
      {shown.size > 0 && (
        <div class="tiles wide">
          {[...shown].map(([page, picture]) => (
            <Tile key={page} page={page} count={countOn(page, list)}>
              {picture}
            </Tile>
          ))}
        </div>
      )}
      <div class="tiles">
        {others
          .filter((page) => !shown.has(page))
          .map((page) => (
            <Tile key={page} page={page} count={countOn(page, list)} />
          ))}
      </div>
    </nav>
  );
}
