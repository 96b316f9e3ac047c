// Further settings of a page by key. They are in the address, too.
import { useStore } from "./store";
import { setView, view } from "./view";

/** A setting and a function that changes it. The address omits a default value. */
export function useSetting(key: string, byDefault = ""): [string, (value: string) => void] {
  const { settings } = useStore(view);
  const set = (value: string) => {
    const { [key]: _, ...others } = view.get().settings;
    setView({ settings: value === byDefault ? others : { ...others, [key]: value } }, true);
  };
  return [settings[key] ?? byDefault, set];
}

/** The same for a number. */
export function useNumber(key: string, byDefault: number): [number, (value: number) => void] {
  const [text, set] = useSetting(key, String(byDefault));
  const number = Number(text);
  return [Number.isFinite(number) ? number : byDefault, (value) => set(String(value))];
}

/** The same for a switch. "1" in the address is the opposite of its default. */
export function useSwitch(key: string, byDefault = false): [boolean, (value: boolean) => void] {
  const [text, set] = useSetting(key);
  return [(text === "1") !== byDefault, (value) => set(value === byDefault ? "" : "1")];
}
