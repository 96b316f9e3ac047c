/**
 * TensorBoard's debiased exponential mean: last = last * w + (1 - w) * v, shown as last / (1 -
 * w^n). Values that are not finite are passed through and left out of the mean. A constant series
 * stays as it is. `weight` is in [0, 1); 0 gives the values themselves.
 */
export function smooth(values: ArrayLike<number>, weight: number): Float64Array {
  const result = new Float64Array(values.length);
  let first = NaN;
  let constant = true;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    result[i] = value;
    if (!Number.isFinite(value)) continue;
    if (Number.isNaN(first)) first = value;
    else if (value !== first) constant = false;
  }
  if (constant || !(weight > 0)) return result;
  let last = 0;
  let decay = 1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (!Number.isFinite(value)) continue;
    last = last * weight + (1 - weight) * value;
    decay *= weight;
    result[i] = last / (1 - decay);
  }
  return result;
}
