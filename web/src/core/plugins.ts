// What plugins of TensorBoard recorded, and which of it the page draws.
import type { TagOfRuns } from "./api";
import { t } from "./text";
import { kindsOfPage, type Page } from "./view_state";

export const curvePlugin = "pr_curves";

/** Whether a page draws the values of a tag. The page Media only lists the others. */
export function isDrawn({ kind, plugin }: Pick<TagOfRuns, "kind" | "plugin">): boolean {
  return kind !== "plugin" || plugin === curvePlugin;
}

/** The number of tags that a page draws; undefined if it shows no values. */
export function countOn(page: Page, list: readonly TagOfRuns[]): number | undefined {
  const kinds = kindsOfPage[page];
  return kinds && list.filter((tag) => kinds.includes(tag.kind) && isDrawn(tag)).length;
}

/** What a plugin's values are, in words; "" if it is not known. */
export function pluginWords(plugin: string): string {
  switch (plugin) {
    case "mesh":
      return t("pluginMesh");
    case "custom_scalars":
      return t("pluginLayout");
    case "projector":
    case "default_projector":
      return t("pluginProjector");
    case "hparams":
      return t("pluginHparams");
    case "graph_keras_model":
      return t("pluginKeras");
    default:
      return "";
  }
}
