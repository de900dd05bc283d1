/**
 * A portfolio that somebody shares by a link: how it is divided and how it did, never how much it is.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import * as decimal from "../decimal.js";
import { get } from "../api.js";
import { donut, legend } from "../portfolio/donut.js";

/** Shows it. */
export async function show(root, { parts: [token], scope }) {
  const view = await get(`/shared/${encodeURIComponent(token)}`, { signal: scope.signal });
  const parts = (view.allocation ?? []).map(({ asset, share }) => ({ name: asset, share }));
  const gain = view.return ?? null;
  replace(root, h("div", { class: "view-head" }, h("h1", {}, view.name ?? t("shared.title")),
    h("p", { class: "muted" }, t("shared.about"))),
  h("section", { class: "panel split" }, donut(parts), legend(parts),
    h("dl", { class: "facts" }, h("div", {}, h("dt", {}, t("portfolio.return")),
      h("dd", { class: "num", dataset: { way: ["down", "", "up"][decimal.sign(gain ?? "") + 1] } },
        format.ratio(gain ?? ""))))));
  return view.name ?? t("shared.title");
}
