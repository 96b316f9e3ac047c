// What the bytes of a recorded picture are. The browser is the judge of what it can show; this says
// why it cannot, and what it does not show of a picture.

export interface PictureFormat {
  /** "PNG", "SVG", ...; "" if the bytes are of no known format. */
  name: string;
  /** Whether the end is missing. */
  cut: boolean;
  /** Bits of a channel, if they are more than the 8 that the page shows. */
  bits: number | null;
  /** Whether the colours are those of a printer. */
  cmyk: boolean;
  /** Whether its EXIF data turn or mirror it. */
  turned: boolean;
}

/** Formats with their first bytes. */
const starts: readonly [string, ...string[]][] = [
  ["PNG", "\x89PNG\r\n\x1a\n"],
  ["JPEG", "\xff\xd8\xff"],
  ["GIF", "GIF87a", "GIF89a"],
  ["BMP", "BM"],
  ["TIFF", "II*\0", "MM\0*"],
  ["JPEG 2000", "\0\0\0\x0cjP  ", "\xff\x4f\xff\x51"],
  ["JPEG XL", "\xff\x0a", "\0\0\0\x0cJXL "],
  ["OpenEXR", "v/1\x01"],
  ["NumPy", "\x93NUMPY"],
  ["PDF", "%PDF-"],
];
const before = "(?:\xef\xbb\xbf)?\\s*(?:<[?!][^>]*>\\s*)*";
const isSvg = new RegExp(`^${before}<svg[\\s/>]`, "i");
const isHtml = new RegExp(`^${before}<(?:html|head|body|script|p)[\\s>]`, "i");

function nameOf(head: string): string {
  const found = starts.find(([, ...each]) => each.some((start) => head.startsWith(start)));
  if (found) return found[0];
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return "WebP";
  if (head.startsWith("ftyp", 4)) return /avi[fs]/.test(head.slice(8, 64)) ? "AVIF" : "HEIF";
  if (isSvg.test(head)) return "SVG";
  return isHtml.test(head) ? "HTML" : "";
}

// Formats are told by their first bytes.
const headAtMost = 4096;

export function formatOf(bytes: Uint8Array): PictureFormat {
  const head = String.fromCharCode(...bytes.subarray(0, headAtMost));
  const name = nameOf(head);
  const format = { name, cut: false, bits: null, cmyk: false, turned: false };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (name === "PNG") return { ...format, ...partsOfPng(view) };
  if (name === "JPEG") return { ...format, ...partsOfJpeg(view) };
  if (name === "GIF") return { ...format, cut: bytes[bytes.length - 1] !== 0x3b };
  if (name === "WebP") return { ...format, cut: view.getUint32(4, true) + 8 > bytes.length };
  return format;
}

const typeAt = (view: DataView, at: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((i) => view.getUint8(at + i)));

/** Walks through the chunks: a length, a type of four letters, the data, a checksum. */
function partsOfPng(view: DataView): Partial<PictureFormat> {
  const bits = view.byteLength > 24 && view.getUint8(24) > 8 ? view.getUint8(24) : null;
  for (let at = 8; at + 12 <= view.byteLength; ) {
    const next = at + 12 + view.getUint32(at);
    if (typeAt(view, at + 4) === "IEND") return { bits, cut: false };
    at = next;
  }
  return { bits, cut: true };
}

/** Walks through the segments before the picture's data: a marker, a length, the data. */
function partsOfJpeg(view: DataView): Partial<PictureFormat> {
  const found: Partial<PictureFormat> = { cut: true };
  for (let at = 2; at + 10 <= view.byteLength && view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xda) break; // The data follow.
    // The frame: C0 to CF, except for tables (C4, C8, CC).
    if (marker === 0xc0 || (marker > 0xc0 && marker <= 0xcf && marker % 4 !== 0)) {
      if (view.getUint8(at + 4) > 8) found.bits = view.getUint8(at + 4);
      found.cmyk = view.getUint8(at + 9) === 4;
    }
    if (marker === 0xe1 && typeAt(view, at + 4) === "Exif") found.turned = isTurned(view, at + 10);
    at += 2 + view.getUint16(at + 2);
  }
  // A file may have zeros after its end.
  let end = view.byteLength;
  while (end > 2 && view.getUint8(end - 1) === 0) end--;
  found.cut = view.getUint8(end - 2) !== 0xff || view.getUint8(end - 1) !== 0xd9;
  return found;
}

/** Whether EXIF data, a TIFF file that begins at `start`, name another orientation than the usual. */
function isTurned(view: DataView, start: number): boolean {
  if (start + 8 > view.byteLength) return false;
  const little = view.getUint8(start) === 0x49;
  const list = start + view.getUint32(start + 4, little);
  if (list + 2 > view.byteLength) return false;
  const count = view.getUint16(list, little);
  for (let i = 0; i < count; i++) {
    const entry = list + 2 + 12 * i;
    if (entry + 12 > view.byteLength) return false;
    if (view.getUint16(entry, little) === 0x112) return view.getUint16(entry + 8, little) > 1;
  }
  return false;
}
