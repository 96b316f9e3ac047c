// Mounts a long list part by part: the next one when its end comes near.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export function useMore(
  total: number,
  step: number,
  key: string,
): { shown: number; end: ComponentChildren } {
  const [shown, setShown] = useState(step);
  const mark = useRef<HTMLDivElement>(null);
  useEffect(() => setShown(step), [key, step]);
  useEffect(() => {
    if (!mark.current || shown >= total) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setShown((now) => now + step);
      },
      { rootMargin: "600px" },
    );
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [shown, total, step]);
  return {
    shown: Math.min(shown, total),
    end:
      shown < total ? (
        <div ref={mark} class="muted">
          …
        </div>
      ) : null,
  };
}
