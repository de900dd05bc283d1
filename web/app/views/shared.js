/**
 * A portfolio that somebody shares by a link: how it is divided and how it did, never how much it is.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import * as format from "../format.js";
import { get } from "../api.js";
import { donut, legend } from "../portfolio/donut.js";

/** Shows it. */
export async function show(root, { parts: [token], scope }) {
  const view = await get(`/shared/${encodeURIComponent(token)}`, { signal: scope.signal });
  const shares = (view.allocation ?? []).map(({ asset, share }) => ({ name: asset, text: bandText(share),
    size: middle(share) }));
  const whole = shares.reduce((sum, { size }) => sum + size, 0);
  const parts = shares.map((part) => ({ ...part, share: String(part.size / whole) }));
  const gain = view.return;
  replace(root, h("div", { class: "view-head" }, h("h1", {}, view.name ?? t("shared.title")),
    h("p", { class: "muted" }, t("shared.about"))),
  h("section", { class: "panel split" }, donut(parts), legend(parts),
    h("dl", { class: "facts" }, h("div", {}, h("dt", {}, t("portfolio.return")),
      h("dd", { class: "num", dataset: { way: wayOf(gain) } }, gain ? bandText(gain) : "–")))));
  return view.name ?? t("shared.title");
}

/** A range in percent, in words. */
function bandText({ from, to }) {
  if (from === null) return t("shared.below", { to: format.portion(to) });
  if (to === null) return t("shared.least", { from: format.portion(from) });
  return t("shared.band", { from: format.portion(from), to: format.portion(to) });
}

/** Where a share may be, to draw it by: nothing exact is known. */
const middle = ({ from, to }) => (Number(from ?? 0) + Number(to ?? 100)) / 200;

const wayOf = (gain) => (gain ? (gain.from === null || gain.from.startsWith("-") ? "down" : "up") : "");
