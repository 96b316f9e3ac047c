// One cursor for all charts of a page, in units of their x axis.
import { Store } from "../core/store";

export const cursor = new Store<number | null>(null);
