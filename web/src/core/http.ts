// Requests to the server, with the types of dashboard/openapi.yaml.
import type { components, paths } from "./openapi";
import { Store } from "./store";

/** An error response; `status` 0: the server did not respond. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly column?: number,
  ) {
    super(message);
  }
}

let token = "";
export function setToken(value: string): void {
  token = value;
}
export function getToken(): string {
  return token;
}

// Relative to the page, which may be served under --base-path.
const base = () => new URL("api/v1/", document.baseURI.replace(/[#?].*$/, "")).href;

/** For each request that waits until the server has read a file: how far that is, in bytes. */
export const importing = new Store<ReadonlyMap<symbol, Schemas["ImportProgress"]>>(new Map());

function setImporting(request: symbol, progress?: Schemas["ImportProgress"]): void {
  if (!progress && !importing.get().has(request)) return;
  const all = new Map(importing.get());
  if (progress) all.set(request, progress);
  else all.delete(request);
  importing.set(all);
}

/** Ends early, without an error, if `signal` is aborted. */
function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
  });
}

/** Repeats the request until the server has read what it is about. */
async function request(path: string, signal?: AbortSignal, body?: unknown): Promise<Response> {
  const id = Symbol(path);
  try {
    // Small files are read at once, so the first pauses are short.
    for (let wait = 50; ; wait = Math.min(2 * wait, 1000)) {
      const response = await requestOnce(path, signal, body);
      if (response.status !== 202) return response;
      setImporting(id, ((await response.json()) as Schemas["Importing"]).importing);
      await pause(wait, signal);
    }
  } finally {
    setImporting(id);
  }
}

async function requestOnce(path: string, signal?: AbortSignal, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  for (let attempt = 0; ; attempt++) {
    let response: Response;
    try {
      response = await fetch(base() + path, {
        headers,
        credentials: "omit",
        signal: signal ?? null,
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ApiError(0, String(error instanceof Error ? error.message : error));
    }
    if (response.ok) return response;
    if (response.status === 503 && attempt < 5) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      continue;
    }
    let message = `${response.status} ${response.statusText}`;
    let column: number | undefined;
    try {
      const error = ((await response.json()) as { error?: { message?: string; column?: number } })
        .error;
      message = error?.message ?? message;
      column = error?.column;
    } catch {
      // Not the server's own, but a proxy's page, for example. The status says enough.
    }
    throw new ApiError(response.status, message, column);
  }
}

const notFinite: Record<string, number> = { NaN: NaN, Infinity: Infinity, "-Infinity": -Infinity };

/**
 * Reads a number, which is a string if JSON cannot hold it. Only for fields that are numbers: a
 * text may be "NaN".
 */
export function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value in notFinite ? notFinite[value]! : NaN;
}

export type Schemas = components["schemas"];

/** A response's type after strings that stand for numbers ("NaN") were converted. */
export type Read<T> = T extends Schemas["Number"]
  ? number
  : T extends (infer Item)[]
    ? Read<Item>[]
    : T extends object
      ? { [Key in keyof T]: Read<T[Key]> }
      : T;

type PathOf<Key> = Key extends `/api/v1/${infer Path}` ? Path : never;
/** "runs" for /api/v1/runs. */
export type Path = PathOf<keyof paths>;
type Get<P extends Path> = paths[`/api/v1/${P}`]["get"];
type Post<P extends Path> = paths[`/api/v1/${P}`] extends { post: infer Operation }
  ? Operation
  : never;
export type Query<P extends Path> = Get<P> extends { parameters: { query?: infer Q } } ? Q : object;
type Json<Operation> = Operation extends {
  responses: { 200: { content: { "application/json": infer Body } } };
}
  ? Read<Body>
  : never;
type BodyOf<Operation> = Operation extends {
  requestBody: { content: { "application/json": infer Body } };
}
  ? Body
  : never;

/** The response of GET. */
export type ResponseBody<P extends Path> = Json<Get<P>>;

/** A path with its query. Empty values are omitted; a list repeats its key. */
function address(path: Path, query: object): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const item of value) search.append(key, String(item));
    else if (value !== null && value !== undefined && value !== "") search.set(key, String(value));
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}

export async function get<P extends Path>(
  path: P,
  query: Query<P>,
  signal?: AbortSignal,
): Promise<ResponseBody<P>> {
  return (await getResponse(path, query, signal)).json() as Promise<ResponseBody<P>>;
}

export function getResponse<P extends Path>(
  path: P,
  query: Query<P>,
  signal?: AbortSignal,
): Promise<Response> {
  return request(address(path, query as object), signal);
}

export async function post<P extends Path>(
  path: P,
  body: BodyOf<Post<P>>,
  signal?: AbortSignal,
): Promise<Json<Post<P>>> {
  return (await postForResponse(path, body, signal)).json() as Promise<Json<Post<P>>>;
}

export function postForResponse<P extends Path>(
  path: P,
  body: BodyOf<Post<P>>,
  signal?: AbortSignal,
): Promise<Response> {
  return request(path, signal, body);
}

export async function getBlob<P extends Path>(
  path: P,
  query: Query<P>,
  signal?: AbortSignal,
): Promise<Blob> {
  return (await getResponse(path, query, signal)).blob();
}

/** A binary response: a header, then float64 numbers. */
export interface Binary<Header> {
  header: Header;
  numbers: (offset: number, length: number) => Float64Array;
}

/** Reads a response in the form "S L S 1". */
export function readBinary<Header>(buffer: ArrayBuffer): Binary<Header> {
  const bytes = new Uint8Array(buffer);
  if (buffer.byteLength < 8 || new TextDecoder().decode(bytes.subarray(0, 4)) !== "SLS1")
    throw new Error("not SLS1");
  const size = new DataView(buffer).getUint32(4, true);
  if (size % 8 !== 0 || 8 + size > buffer.byteLength) throw new Error("SLS1: header");
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + size))) as Header;
  return {
    header,
    numbers: (offset, length) => new Float64Array(buffer, 8 + size + 8 * offset, length),
  };
}

export async function getBinary<Header, P extends Path>(
  path: P,
  query: Query<P>,
  signal?: AbortSignal,
): Promise<Binary<Header>> {
  return readBinary(await (await getResponse(path, query, signal)).arrayBuffer());
}
