// Pictures and sounds of fetched bytes.
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

type Of<Tag extends keyof JSX.IntrinsicElements> = Omit<JSX.IntrinsicElements[Tag], "src" | "ref">;

/**
 * Revokes the address once the picture no longer loads: if it went earlier, the browser would report
 * a missing file, also for a picture that has left the page.
 */
export function revokeAfterLoading(picture: HTMLImageElement, address: string): void {
  const revoke = () => URL.revokeObjectURL(address);
  if (picture.complete) revoke();
  // If the element gets another picture, these events come for that one.
  else for (const end of ["load", "error"]) picture.addEventListener(end, revoke, { once: true });
}

export function BlobImage({ blob, alt, ...others }: { blob: Blob; alt: string } & Of<"img">) {
  const image = useRef<HTMLImageElement>(null);
  useLayoutEffect(() => {
    const element = image.current!;
    const address = URL.createObjectURL(blob);
    element.src = address;
    return () => revokeAfterLoading(element, address);
  }, [blob]);
  return <img ref={image} alt={alt} {...others} />;
}

export function BlobAudio({ blob, ...others }: { blob: Blob } & Of<"audio">) {
  const audio = useRef<HTMLAudioElement>(null);
  useLayoutEffect(() => {
    const element = audio.current!;
    const address = URL.createObjectURL(blob);
    element.src = address;
    return () => {
      element.removeAttribute("src");
      element.load(); // Ends what it still reads.
      URL.revokeObjectURL(address);
    };
  }, [blob]);
  return <audio ref={audio} controls {...others} />;
}
