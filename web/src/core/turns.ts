// Work in turns: what takes long is cut into pieces, between which the page reacts.

// A turn ends once it took so long, in milliseconds: at sixty frames a second half of one is left for the browser.
const turn = 8;

const channel = new MessageChannel();
const waiting: (() => unknown)[] = [];

// setTimeout would wait for 4 ms and more between two turns.
channel.port1.onmessage = () => {
  const began = performance.now();
  while (waiting.length > 0 && performance.now() - began < turn)
    if (waiting.shift()!() === true) break;
  if (waiting.length > 0) channel.port2.postMessage(null);
};

/** Does it in a later turn, in the order of the calls; what answers true was the last of its turn. */
export function inTurn(work: () => unknown): void {
  waiting.push(work);
  if (waiting.length === 1) channel.port2.postMessage(null);
}

/** Goes on in a later turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => inTurn(resolve));
}
