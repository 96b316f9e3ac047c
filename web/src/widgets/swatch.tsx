import { dash, hue, theme } from "../core/colors";
import { useStore } from "../core/store";

/** A run's color and dashes, as a short line; `plain`: its dashes alone. */
export function Swatch({ slot, plain = false }: { slot: number | undefined; plain?: boolean }) {
  const scheme = useStore(theme);
  if (slot === undefined) return <svg class="swatch" aria-hidden="true" />;
  return (
    <svg class="swatch" viewBox="0 0 16 10" aria-hidden="true">
      <line
        x1="0"
        y1="5"
        x2="16"
        y2="5"
        stroke={plain ? "currentcolor" : hue(scheme, slot)}
        stroke-width="3"
        stroke-dasharray={dash(slot).join(" ") || undefined}
      />
    </svg>
  );
}
