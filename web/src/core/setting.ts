// What a page lets its reader set and that has no name of its own in the view: it stands in the address as well.
import { useStore } from "./store";
import { setView, view } from "./view";

/** The setting's value, and what changes it; one that is as by default takes no room in the address. */
export function useSetting(key: string, byDefault = ""): [string, (value: string) => void] {
  const { settings } = useStore(view);
  const set = (value: string) => {
    const { [key]: _, ...others } = view.get().settings;
    setView({ settings: value === byDefault ? others : { ...others, [key]: value } }, true);
  };
  return [settings[key] ?? byDefault, set];
}

/** The same of a number. */
export function useNumber(key: string, byDefault: number): [number, (value: number) => void] {
  const [text, set] = useSetting(key, String(byDefault));
  const number = Number(text);
  return [Number.isFinite(number) ? number : byDefault, (value) => set(String(value))];
}

/** The same of what is either on or off; "1" in the address is what it is not by default. */
export function useSwitch(key: string, byDefault = false): [boolean, (value: boolean) => void] {
  const [text, set] = useSetting(key);
  return [(text === "1") !== byDefault, (value) => set(value === byDefault ? "" : "1")];
}
