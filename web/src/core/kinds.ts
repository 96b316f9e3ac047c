// Made of recorder/message/kinds.def, and compared with it by kinds_test.cc, which prints this text.

/** Each kind of value, by its name in the API, with the page that shows it. */
export const pageOfKind = {
  scalar: "scalars",
  histogram: "distributions",
  image: "media",
  tensor: "tensors",
  landscape: "landscape",
  audio: "media",
  text: "media",
  plugin: "media",
} as const;
export type Kind = keyof typeof pageOfKind;
