// A few icons in the style of Lucide (ISC), inlined so that they need no request.
const paths = {
  check: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM8 12.5l3 3 5-6",
  alert: "M12 4 2.5 20h19zM12 10v4M12 17h.01",
  views: "M6 3h12v18l-6-4-6 4z",
  mark: "M3 18 8 7l4 8 4-11 5 14",
  table: "M3 4h18v16H3zM3 10h18M3 15h18M10 4v16",
  grow: "M15 3h6v6M9 21H3v-6M21 3l-7 7M3 21l7-7",
  shrink: "M4 14h6v6M20 10h-6V4M14 10l7-7M3 21l7-7",
  download: "M12 4v11M7 11l5 5 5-5M4 20h16",
  picture: "M3 4h18v16H3zM3 16l5-5 5 5 3-3 5 5M15.5 8.5h.01",
  left: "M15 6l-6 6 6 6",
  right: "M9 6l6 6-6 6",
  theme: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  help: "M9.1 9a3 3 0 0 1 5.8 1c0 2-3 2.5-3 4M12 18h.01",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  sigma: "M18 7V4H6l6 8-6 8h12v-3",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  vector: "M5 19C5 9 19 15 19 5M3 17h4v4H3zM17 3h4v4h-4z",
  pin: "M12 17v4M7 3h10l-2 6 3 4H6l3-4z",
  swap: "M7 4 3 8l4 4M3 8h18M17 12l4 4-4 4M21 16H3",
  rows: "M4 6h16M4 12h16M4 18h16",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

interface IconButtonProps {
  name: IconName;
  label: string;
  onClick: () => void;
  pressed?: boolean;
  disabled?: boolean;
}

/** A button with an icon. Its label is the tooltip and is read out. */
export function IconButton({ name, label, onClick, pressed, disabled }: IconButtonProps) {
  return (
    <button
      type="button"
      class="plain"
      aria-label={label}
      title={label}
      onClick={onClick}
      disabled={disabled}
      {...(pressed === undefined ? {} : { "aria-pressed": pressed })}
    >
      <Icon name={name} />
    </button>
  );
}
