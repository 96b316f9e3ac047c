// Limits how much is done at once.

/** Returns a function that runs at most `most` tasks at once, the others in the order of the calls. */
export function atMost(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running < most) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      // A task that waits takes the place of this one.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
