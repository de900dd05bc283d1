/**
 * Indicators of closing prices, with the definitions of the services: what an alert on the same indicator fires
 * by. Lines for a picture: binary fractions will do. Each gives `null` where there are too few values.
 * @module
 */

/** The mean of the last `period` values. */
export function sma(values, period) {
  let sum = 0;
  return values.map((value, index) => {
    sum += value - (index >= period ? values[index - period] : 0);
    return index < period - 1 ? null : sum / period;
  });
}

/** Older values count less and less, k = 2 / (period + 1); begins as the mean of the first `period` values. */
export function ema(values, period) {
  const weight = 2 / (period + 1);
  let mean = 0;
  return values.map((value, index) => {
    if (index < period) {
      mean += value / period;
      return index === period - 1 ? mean : null;
    }
    mean += (value - mean) * weight;
    return mean;
  });
}

/** The simple mean and a band of standard deviations of the population around it: Bollinger's. */
export function bollinger(values, period = 20, deviations = 2) {
  return sma(values, period).map((middle, index) => {
    if (middle === null) return null;
    const window = values.slice(index - period + 1, index + 1);
    const squares = window.reduce((sum, value) => sum + (value - middle) ** 2, 0);
    const width = Math.sqrt(squares / period) * deviations;
    return { upper: middle + width, middle, lower: middle - width };
  });
}

/** Wilder's relative strength, 0 to 100; 0 where nothing moved. */
export function rsi(values, period = 14) {
  let gain = 0;
  let loss = 0;
  return values.map((value, index) => {
    if (index === 0) return null;
    const change = value - values[index - 1];
    const keep = index > period ? (period - 1) / period : 1;
    const part = index > period ? 1 / period : 1;
    gain = gain * keep + Math.max(change, 0) * part;
    loss = loss * keep + Math.max(-change, 0) * part;
    if (index < period) return null;
    if (index === period) {
      gain /= period;
      loss /= period;
    }
    return gain + loss < 1e-14 ? 0 : (100 * gain) / (gain + loss);
  });
}

/** Appel's MACD: fast less slow exponential mean, its signal line and the distance of both. */
export function macd(values, fast = 12, slow = 26, signal = 9) {
  const lead = slow - fast;
  const slowMean = ema(values, slow);
  // Both means begin at the same value.
  const fastMean = [...Array(lead).fill(null), ...ema(values.slice(lead), fast)];
  const line = values.map((_, index) =>
    slowMean[index] === null || fastMean[index] === null ? null : fastMean[index] - slowMean[index]);
  const first = line.findIndex((value) => value !== null);
  if (first < 0) return values.map(() => null);
  const means = [...Array(first).fill(null), ...ema(line.slice(first), signal)];
  return line.map((value, index) => (value === null || means[index] === null || means[index] === undefined
    ? null : { macd: value, signal: means[index], histogram: value - means[index] }));
}
