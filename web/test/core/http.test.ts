// Requests that wait until the server has read a file.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { get, importing } from "../../src/core/http";

const accepted = (bytes: number) =>
  new Response(JSON.stringify({ importing: { bytes, total: 300 } }), {
    status: 202,
    headers: { "Retry-After": "1" },
  });
const done = () => new Response('{"folders": []}');

const shown = () => [...importing.get().values()];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { baseURI: "http://localhost/#token=x" });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a request is repeated until the file is read, and its progress is there meanwhile", async () => {
  const responses = [accepted(100), accepted(200), done()];
  const fetched = vi.fn(() => Promise.resolve(responses.shift()!));
  vi.stubGlobal("fetch", fetched);
  const asked = get("ir", {});
  await vi.advanceTimersByTimeAsync(10);
  expect(shown()).toEqual([{ bytes: 100, total: 300 }]);
  await vi.advanceTimersByTimeAsync(50);
  expect(shown()).toEqual([{ bytes: 200, total: 300 }]);
  await vi.advanceTimersByTimeAsync(100);
  expect(await asked).toEqual({ folders: [] });
  expect(shown()).toEqual([]);
  expect(fetched).toHaveBeenCalledTimes(3);
});

test("the pauses grow to a second", async () => {
  const fetched = vi.fn(() => Promise.resolve(accepted(0)));
  vi.stubGlobal("fetch", fetched);
  const abort = new AbortController();
  const asked = get("ir", {}, abort.signal).catch(() => "given up");
  await vi.advanceTimersByTimeAsync(5000);
  const before = fetched.mock.calls.length;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(fetched.mock.calls.length - before).toBe(10);
  fetched.mockImplementation(() => Promise.reject(new Error("aborted")));
  abort.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(await asked).toBe("given up");
  expect(shown()).toEqual([]);
});

test("an error ends the wait", async () => {
  const failed = new Response('{"error": {"code": "data loss", "message": "cut off"}}', {
    status: 500,
  });
  const responses = [accepted(1), failed];
  vi.stubGlobal("fetch", () => Promise.resolve(responses.shift()!));
  const asked = get("ir", {}).catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(100);
  expect(await asked).toBe("cut off");
  expect(shown()).toEqual([]);
});
