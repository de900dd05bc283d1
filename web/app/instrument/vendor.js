/**
 * The chart's library, which is not ours: fetched when the page is built, and absent where that was left out.
 * @module
 */

/** Where `make web-vendor` puts it. */
const source = "/vendor/lightweight-charts.js";
let loading;

/** The library; rejects when the file is missing. */
export function loadCharts() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = source;
    script.onload = () => (window.LightweightCharts ? resolve(window.LightweightCharts)
      : reject(new Error()));
    script.onerror = () => reject(new Error());
    document.head.append(script);
  }).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
