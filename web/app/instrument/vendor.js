/**
 * The chart's library, which is not ours: fetched when the page is built, and absent where that was left out.
 * @module
 */
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { NetworkError } from "../api.js";
import { explained } from "../problems.js";
import { again } from "../navigation.js";

/** Where `make web-vendor` puts it. */
const source = "/vendor/lightweight-charts.js";
let loading;

/** The library; rejects with a {@link NetworkError} when it does not come, with another error when there is none. */
export function loadCharts() {
  loading ??= run().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function run() {
  const script = document.createElement("script");
  script.src = source;
  await new Promise((end) => {
    script.onload = script.onerror = end;
    document.head.append(script);
  });
  if (window.LightweightCharts) return window.LightweightCharts;
  // A script does not tell why it did not come.
  const answer = await fetch(source).catch(() => null);
  throw answer?.status === 404 ? new Error() : new NetworkError();
}

/** What stands in the place of a chart for which the library did not come. */
export const chartAbsence = (error) => h("div", { class: "empty" }, error instanceof NetworkError
  ? [h("p", {}, explained(error)), h("button", { onclick: again }, t("action.tryAgain"))]
  : [h("h3", {}, t("chart.missingTitle")), h("p", {}, t("chart.missing"))]);
