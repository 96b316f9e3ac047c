// Runs long work in turns, so that the page can react in between.

// A turn ends after this many milliseconds: half a frame at 60 Hz, the other half is for the
// browser.
const turn = 8;

const channel = new MessageChannel();
const waiting: (() => unknown)[] = [];

// setTimeout would wait for at least 4 ms between two turns.
channel.port1.onmessage = () => {
  const began = performance.now();
  while (waiting.length > 0 && performance.now() - began < turn)
    if (waiting.shift()!() === true) break;
  if (waiting.length > 0) channel.port2.postMessage(null);
};

/** Does the work in a later turn, in the order of the calls. Returning true ends the turn. */
export function inTurn(work: () => unknown): void {
  waiting.push(work);
  if (waiting.length === 1) channel.port2.postMessage(null);
}

/** Resolves in a later turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => inTurn(resolve));
}
