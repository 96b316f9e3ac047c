// Options of a chart that fills the page: a second tag as y or x axis, and lines at values.
import { useState } from "preact/hooks";
import { formatValue } from "../core/format";
import { tags } from "../core/model";
import { useStore } from "../core/store";
import { useText } from "../core/text";
import { setView, useOwn, view } from "../core/view";
import { Icon } from "../widgets/icons";

function TagChoice({
  label,
  value,
  except,
  onChange,
}: {
  label: string;
  value: string;
  except: string;
  onChange: (tag: string) => void;
}) {
  const { list } = useStore(tags);
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">–</option>
        {list
          .filter((one) => one.kind === "scalar" && one.tag !== except)
          .map(({ tag }) => (
            <option key={tag} value={tag}>
              {tag}
            </option>
          ))}
      </select>
    </label>
  );
}

export function ChartOptions({ tag }: { tag: string }) {
  const t = useText();
  const { levels } = useStore(view);
  const [{ second, against }, setOwn] = useOwn("scalars");
  const [text, setText] = useState("");
  const value = text.trim() === "" ? NaN : Number(text);
  const add = () => {
    if (!Number.isFinite(value)) return;
    setView({
      levels: [
        ...levels.filter((level) => level.tag !== tag || level.value !== value),
        { tag, value },
      ],
    });
    setText("");
  };
  return (
    <div class="bar" role="group" aria-label={t("chartOptions", tag)}>
      <TagChoice
        label={t("secondAxis")}
        value={second}
        except={tag}
        onChange={(name) => setOwn({ second: name, against: "" })}
      />
      <TagChoice
        label={t("against")}
        value={against}
        except={tag}
        onChange={(name) => setOwn({ against: name, second: "" })}
      />
      <label>
        {t("threshold")}
        <input
          type="text"
          inputMode="decimal"
          class="short"
          value={text}
          aria-invalid={text !== "" && !Number.isFinite(value)}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && add()}
        />
      </label>
      <button type="button" disabled={!Number.isFinite(value)} onClick={add}>
        {t("add")}
      </button>
      {levels
        .filter((level) => level.tag === tag)
        .map((level) => (
          <button
            key={level.value}
            type="button"
            class="plain"
            aria-label={t("removeThreshold", level.value)}
            title={t("removeThreshold", level.value)}
            onClick={() => setView({ levels: levels.filter((other) => other !== level) })}
          >
            {formatValue(level.value, 6)} <Icon name="close" />
          </button>
        ))}
    </div>
  );
}
