/**
 * What Bitpal is, and whose work it uses.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";

/** Shows it. */
export async function show(root) {
  const link = (href, text = href) => h("a", { href, rel: "noreferrer" }, text);
  replace(root, h("section", { class: "panel card stack wide" }, h("h1", {}, t("about.title")),
    h("p", {}, t("about.what")),
    h("h2", {}, t("about.charts")),
    h("p", {}, "TradingView Lightweight Charts™"),
    h("p", {}, "Copyright (c) 2024 TradingView, Inc. ", link("https://www.tradingview.com/")),
    h("p", {}, t("about.licence"), " Apache License 2.0. ",
      link("https://www.apache.org/licenses/LICENSE-2.0")),
    h("h2", {}, t("nav.api")),
    h("p", {}, link("/docs"), " · ", link("/openapi.json"), " · ", link("/openapi.yaml"))));
  return t("about.title");
}
