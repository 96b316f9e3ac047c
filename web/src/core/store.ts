// Small observable values, and the hooks that read them.
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from "preact/hooks";

export class Store<T> {
  private readonly listeners = new Set<() => void>();
  constructor(private value: T) {}
  get(): T {
    return this.value;
  }
  set(value: T): void {
    if (Object.is(value, this.value)) return;
    this.value = value;
    for (const listener of [...this.listeners]) listener();
  }
  update(change: Partial<T>): void {
    this.set({ ...this.value, ...change });
  }
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}

/** The store's value. The component renders again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const seen = store.get();
  useEffect(() => {
    if (store.get() !== seen) redraw(0);
    return store.subscribe(() => redraw(0));
  }, [store, seen]);
  return seen;
}

export interface Loaded<T> {
  /** The newest response. It stays while the next one is loading. */
  data: T | null;
  loading: boolean;
  error: Error | null;
}

/**
 * A function that never changes and calls the newest `work`. For listeners and effects, not while
 * rendering.
 */
export function useEvent<A extends unknown[], R>(work: (...given: A) => R): (...given: A) => R {
  const newest = useRef(work);
  useLayoutEffect(() => {
    newest.current = work;
  });
  return useCallback((...given: A) => newest.current(...given), []);
}

/** Loads again when `key` changes; "" loads nothing. A request for an older key is aborted. */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string; data: T | null; error: Error | null }>({
    key: "",
    data: null,
    error: null,
  });
  const start = useEvent(load);
  useEffect(() => {
    if (key === "") {
      setState({ key, data: null, error: null });
      return;
    }
    const abort = new AbortController();
    start(abort.signal).then(
      (data) => {
        if (!abort.signal.aborted) setState({ key, data, error: null });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setState((old) => ({
          key,
          data: old.data,
          error: error instanceof Error ? error : new Error(String(error)),
        }));
      },
    );
    return () => abort.abort();
  }, [key]);
  return { data: state.data, loading: state.key !== key, error: state.error };
}
