// The meaning of lineage keys.

/**
 * Whether a key is a result of the run rather than a setting: a metric, or a scalar's last or least
 * value.
 */
export function isOutcome(key: string): boolean {
  return (
    /^(last|min)\(/.test(key) ||
    /^((train|eval|val|valid|test)[_/.-]?)?(loss|acc(uracy)?|mae|mse|rmse|f1|precision|recall|perplexity|top_?\d+\w*)$/i.test(
      key,
    )
  );
}
