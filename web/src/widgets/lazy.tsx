// A page whose script is loaded when it is first looked at.
import type { ComponentType } from "preact";
import { useLoaded } from "../core/store";
import { Failed, Loading } from "./notice";

export type { ComponentType };

export function lazy(load: () => Promise<ComponentType>): ComponentType {
  let ready: ComponentType | null = null;
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each page, when the script loads.
  return function Lazy() {
    // A component is a function, which a state's setter would call: it goes in an object.
    const { data, error } = useLoaded("page", async () => {
      ready ??= await load();
      return { page: ready };
    });
    if (error) return <Failed error={error} />;
    const Page = ready ?? data?.page;
    return Page ? <Page /> : <Loading />;
  };
}
