import { describe, expect, test } from "vitest";
import { formatOf } from "../../../src/pages/media/picture_format";

const bytes = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

const chunk = (type: string, data = "") =>
  `\0\0\0${String.fromCharCode(data.length)}${type}${data}CRC!`;
const png = (bits: number, ...chunks: string[]) =>
  `\x89PNG\r\n\x1a\n${chunk("IHDR", `\0\0\0\x02\0\0\0\x02${String.fromCharCode(bits)}\x02\0\0\0`)}${chunks.join("")}`;

const segment = (marker: string, data: string) =>
  `\xff${marker}\0${String.fromCharCode(data.length + 2)}${data}`;
const frame = (bits: number, channels: number) =>
  segment(
    "\xc0",
    `${String.fromCharCode(bits)}\0\x02\0\x02${String.fromCharCode(channels)}${"\0\0\0".repeat(channels)}`,
  );
const exif = (orientation: number) =>
  segment(
    "\xe1",
    `Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${String.fromCharCode(orientation)}\0\0\0\0\0\0`,
  );
const jpeg = (...segments: string[]) =>
  `\xff\xd8${segments.join("")}${segment("\xda", "\x01\0")}data\xff\xd9`;

describe("the format of a picture", () => {
  test.each([
    ["PNG", png(8, chunk("IDAT", "x"), chunk("IEND"))],
    ["JPEG", jpeg(frame(8, 3))],
    ["GIF", "GIF89a…;"],
    ["WebP", "RIFF\x04\0\0\0WEBP"],
    ["AVIF", "\0\0\0\x14ftypavif\0\0\0\0mif1"],
    ["AVIF", "\0\0\0\x18ftypmif1\0\0\0\0mif1avif"],
    ["HEIF", "\0\0\0\x18ftypheic\0\0\0\0mif1heic"],
    ["BMP", "BM\x36\0"],
    ["TIFF", "II*\0"],
    ["TIFF", "MM\0*"],
    ["JPEG 2000", "\0\0\0\x0cjP  \r\n"],
    ["SVG", '<svg xmlns="x"/>'],
    ["SVG", "\xef\xbb\xbf<?xml version='1.0'?>\n<!-- a -->\n<svg>"],
    ["HTML", "<!doctype html><p>"],
    ["", "something else"],
    ["", ""],
  ])("%s", (name, text) => expect(formatOf(bytes(text))).toMatchObject({ name, cut: false }));

  test.each([
    ["PNG", png(8, chunk("IDAT", "x"))],
    ["PNG", png(8).slice(0, 20)],
    ["JPEG", jpeg(frame(8, 3)).slice(0, -2)],
    ["JPEG", "\xff\xd8\xff"],
    ["GIF", "GIF89a…"],
    ["WebP", "RIFF\x05\0\0\0WEBP"],
  ])("%s without its end is cut", (name, text) =>
    expect(formatOf(bytes(text))).toMatchObject({ name, cut: true }),
  );

  test("what is shown otherwise than it was recorded", () => {
    const plain = { bits: null, cmyk: false, turned: false };
    expect(formatOf(bytes(png(16, chunk("IEND"))))).toMatchObject({ ...plain, bits: 16 });
    expect(formatOf(bytes(jpeg(frame(8, 3), exif(1))))).toMatchObject(plain);
    expect(formatOf(bytes(jpeg(exif(6), frame(8, 3))))).toMatchObject({ ...plain, turned: true });
    expect(formatOf(bytes(jpeg(frame(12, 4))))).toMatchObject({ ...plain, bits: 12, cmyk: true });
  });

  test("any part of a file can be read", () => {
    for (const whole of [jpeg(exif(6), frame(8, 4)), png(16, chunk("IEND")), "RIFF\x04\0\0\0WEBP"])
      for (let end = 0; end < whole.length; end++)
        expect(() => formatOf(bytes(whole.slice(0, end)))).not.toThrow();
  });
});
