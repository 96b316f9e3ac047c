// Saves files that the page makes itself, without the server.

export function saveBlob(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function saveText(name: string, text: string, type: string): void {
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

/** Turns a tag into a file name. */
export function fileName(tag: string, extension: string): string {
  return `${tag.replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(-100) || "sightline"}.${extension}`;
}

export function savePng(name: string, canvas: HTMLCanvasElement): void {
  canvas.toBlob((blob) => {
    if (blob) saveBlob(name, blob);
  });
}
