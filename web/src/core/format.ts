// Formats numbers, steps, times and sizes, the same on every page.
import type { Schemas } from "./http";

/** A value with `digits` significant digits, as short as it can be: 0.0123, 1.5e-7, 90000, NaN. */
export function formatValue(value: number, digits = 4): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa = "", exponent = ""] = value.toExponential(digits - 1).split("e");
    const short = mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") : mantissa;
    return minus(`${short}e${exponent.replace("+", "")}`);
  }
  const text = value.toPrecision(digits);
  const plain = text.includes("e") ? String(Number(text)) : text;
  return minus(plain.includes(".") ? plain.replace(/\.?0+$/, "") : plain);
}

/** Every digit that the double has, for tables and copies. */
export function exactValue(value: number): string {
  return String(value);
}

function minus(text: string): string {
  return text.replace(/^-/, "−");
}

/** 41200 as "41,200" in both languages. */
export function formatCount(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** Bytes as "12.4 MB" (powers of ten). */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  let size = bytes;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  return `${unit === 0 ? size : size.toFixed(size < 10 ? 1 : 0)} ${units[unit]}`;
}

/** Seconds as "3 h 12 min", "58 min", "41 s", "0.2 s". */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "–";
  const total = Math.abs(seconds);
  const sign = seconds < 0 ? "−" : "";
  if (total < 10) return `${sign}${formatValue(total, 2)} s`;
  if (total < 60) return `${sign}${Math.round(total)} s`;
  if (total < 3600) return `${sign}${Math.round(total / 60)} min`;
  if (total < 86400) {
    const minutes = Math.round(total / 60);
    return `${sign}${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ""}`;
  }
  const hours = Math.round(total / 3600);
  return `${sign}${Math.floor(hours / 24)} d${hours % 24 ? ` ${hours % 24} h` : ""}`;
}

/** A time (seconds since 1970) in the reader's zone: "2026-11-23 15:04:05". */
export function formatTime(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds <= 0) return "–";
  const t = new Date(seconds * 1000);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${t.getFullYear()}-${two(t.getMonth() + 1)}-${two(t.getDate())} ${two(t.getHours())}:${two(t.getMinutes())}:${two(t.getSeconds())}`;
}

/** The last `room` characters of a long name after an ellipsis, since tags differ at the end. */
export function keepEnd(text: string, room: number): string {
  return text.length <= room ? text : `…${text.slice(text.length - room + 1)}`;
}

/**
 * A value that has room for `room` characters. Of a hash the beginning tells, which people type; of
 * other long values, such as paths, the end.
 */
export function shortValue(text: string, room: number): string {
  const hash = /^[0-9a-f]{16,}$/i.test(text);
  return hash && text.length > room ? `${text.slice(0, room - 1)}…` : keepEnd(text, room);
}

/**
 * One field of a CSV file, quoted if needed. A text that a spreadsheet would take for a formula (it
 * starts with = + - @, a tab or a return) gets an apostrophe in front. Numbers stay as they are.
 */
export function csvField(field: string | number): string {
  if (typeof field === "number") return String(field);
  const inert = /^[=+\-@\t\r]/.test(field) ? `'${field}` : field;
  return /[",\n\r]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(csvField).join(",")}\n`).join("");
}

/** Nanoseconds as "1.234 s", "12.3 ms", "4.5 µs", "17 ns". */
export function formatNs(nanoseconds: number, digits = 4): string {
  const size = Math.abs(nanoseconds);
  const [unit, name] =
    size >= 1e9 ? [1e9, "s"] : size >= 1e6 ? [1e6, "ms"] : size >= 1e3 ? [1e3, "µs"] : [1, "ns"];
  return `${formatValue(nanoseconds / unit, digits)} ${name}`;
}

/** A share of 0 to 1 as "12.3 %". */
export function formatShare(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** A value of the lineage; "–" if the run has none. */
export function lineageText(value: Schemas["LineageValue"] | undefined): string {
  if (value === undefined || value === null) return "–";
  return typeof value === "number" ? formatValue(value, 6) : String(value);
}

const order = new Intl.Collator("en", { numeric: true });

/**
 * Compares names as people count: rank_2 comes before rank_10, and 0.003 before 0.1. Different
 * names are never equal.
 */
export function naturally(a: string, b: string): number {
  const [x, y] = [a, b].map((text) => Number(text.replace("−", "-") || NaN));
  return (x! < y! ? -1 : Number(x! > y!)) || order.compare(a, b) || (a < b ? -1 : Number(a > b));
}
