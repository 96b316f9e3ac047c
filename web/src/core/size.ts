// The size of an element, and whether it is in view.

import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

export interface Size {
  width: number;
  height: number;
  /** Whether it is in view now, and whether it ever was. */
  visible: boolean;
  seen: boolean;
}

export function useSize(element: RefObject<HTMLElement>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0, visible: false, seen: false });
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const resize = new ResizeObserver(() => {
      const { clientWidth: width, clientHeight: height } = target;
      setSize((old) =>
        old.width === width && old.height === height ? old : { ...old, width, height },
      );
    });
    const sight = new IntersectionObserver(
      (entries) => {
        const visible = entries[entries.length - 1]!.isIntersecting;
        setSize((old) =>
          old.visible === visible ? old : { ...old, visible, seen: old.seen || visible },
        );
      },
      { rootMargin: "200px" },
    );
    resize.observe(target);
    sight.observe(target);
    return () => {
      resize.disconnect();
      sight.disconnect();
    };
  }, [element]);
  return size;
}
