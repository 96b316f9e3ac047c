// Pixels of pictures: decodes, compares and prints them.
import { divergingOf } from "../../core/colors";

export interface Picture {
  width: number;
  height: number;
  /** Red, green, blue, alpha of each pixel. */
  bytes: Uint8ClampedArray;
}

export async function decode(blob: Blob): Promise<Picture> {
  const bitmap = await createImageBitmap(blob, {
    premultiplyAlpha: "none",
    colorSpaceConversion: "none",
  });
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext("2d", {
    willReadFrequently: true,
  })!;
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return { width, height, bytes: context.getImageData(0, 0, width, height).data };
}

/** Whether every pixel's red, green and blue are equal. */
export function isGrey({ bytes }: Picture): boolean {
  for (let i = 0; i < bytes.length; i += 4)
    if (bytes[i] !== bytes[i + 1] || bytes[i] !== bytes[i + 2]) return false;
  return true;
}

export interface Difference {
  picture: Picture;
  /** The greatest difference of a channel, and the number of pixels that differ. */
  most: number;
  pixels: number;
}

/**
 * The difference of two pictures by the mean of their channels: more is red, less is blue. Null if
 * the sizes differ.
 */
export function difference(a: Picture, b: Picture): Difference | null {
  if (a.width !== b.width || a.height !== b.height) return null;
  const means = new Float32Array(a.width * a.height);
  let most = 0;
  let largest = 0;
  let pixels = 0;
  for (let i = 0; i < means.length; i++) {
    let sum = 0;
    let own = 0;
    for (let c = 0; c < 3; c++) {
      const by = a.bytes[4 * i + c]! - b.bytes[4 * i + c]!;
      sum += by;
      own = Math.max(own, Math.abs(by));
    }
    means[i] = sum / 3;
    largest = Math.max(largest, Math.abs(sum / 3));
    most = Math.max(most, own);
    if (own > 0) pixels++;
  }
  const bytes = new Uint8ClampedArray(a.bytes.length);
  means.forEach((mean, i) =>
    bytes.set([...divergingOf(largest > 0 ? mean / largest : 0), 255], 4 * i),
  );
  return { picture: { width: a.width, height: a.height, bytes }, most, pixels };
}

/** A pixel's numbers: "128", or "12 0 255", with alpha unless it is opaque. */
export function pixelText({ bytes, width }: Picture, x: number, y: number, grey: boolean): string {
  const [r, g, b, a] = bytes.subarray(4 * (y * width + x), 4 * (y * width + x) + 4) as unknown as [
    number,
    number,
    number,
    number,
  ];
  return `${grey ? r : `${r} ${g} ${b}`}${a === 255 ? "" : ` α ${a}`}`;
}
