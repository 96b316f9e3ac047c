// What the page does not draw: tags of other plugins of TensorBoard, with a command that prints each.
import { getRunFacts, type TagOfRuns } from "../../core/api";
import { pluginWords } from "../../core/plugins";
import { catCommand } from "../../core/shell";
import { useLoaded } from "../../core/store";
import { useText } from "../../core/text";

/** Of each tag the directory of a run that has it. */
function useDirectories(tags: readonly TagOfRuns[]): ReadonlyMap<string, string> {
  const runs = [...new Set(tags.flatMap((tag) => tag.runs.slice(0, 1)))];
  const { data } = useLoaded(runs.join("\n"), async (signal) => {
    const all = await Promise.all(runs.map((run) => getRunFacts(run, signal)));
    return new Map(runs.map((run, i) => [run, all[i]!.directory]));
  });
  return new Map(tags.map((tag) => [tag.tag, data?.get(tag.runs[0] ?? "") ?? ""]));
}

export function OtherTags({ tags }: { tags: readonly TagOfRuns[] }) {
  const t = useText();
  const directories = useDirectories(tags);
  return (
    <section aria-label={t("notShown")}>
      <div class="group">
        <h2>{t("notShown")}</h2>
        <span class="muted">{t("notShownHow")}</span>
      </div>
      <table class="data others">
        <tbody>
          {tags.map(({ tag, plugin = "" }) => (
            <tr key={tag}>
              <td class="mono">{tag}</td>
              <td>
                {plugin} <span class="muted">{pluginWords(plugin)}</span>
              </td>
              <td class="mono">{catCommand(tag, directories.get(tag) ?? "")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
