// A page whose script is loaded when it is first opened.
import type { ComponentType } from "preact";
import { useLoaded } from "../core/store";
import { Failed, Loading } from "./notice";

export type { ComponentType };

export function lazy(load: () => Promise<ComponentType>): ComponentType {
  let ready: ComponentType | null = null;
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each page, when the script loads.
  return function Lazy() {
    // Wrapped in an object, because a state's setter would call a function.
    const { data, error } = useLoaded("page", async () => {
      ready ??= await load();
      return { page: ready };
    });
    if (error) return <Failed error={error} />;
    const Page = ready ?? data?.page;
    return Page ? <Page /> : <Loading />;
  };
}
