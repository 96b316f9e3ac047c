// What the keys of the lineage mean.

/** Whether a key is of what came out, not of what went in: a metric, or what a scalar came to. */
export function isOutcome(key: string): boolean {
  return (
    /^(last|min)\(/.test(key) ||
    /^((train|eval|val|valid|test)[_/.-]?)?(loss|acc(uracy)?|mae|mse|rmse|f1|precision|recall|perplexity|top_?\d+\w*)$/i.test(
      key,
    )
  );
}
