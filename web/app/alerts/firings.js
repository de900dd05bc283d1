/**
 * What fired, newest first, and how it was told.
 * @module
 */
import { h, replace } from "../dom.js";
import { t, tOr } from "../i18n.js";
import * as format from "../format.js";
import { itemsOf, post } from "../api.js";
import { recall } from "../last-known.js";
import { reasonText } from "../firing-text.js";
import { attempt } from "../toast.js";
import { emptyState } from "../quote-table.js";
import { showStory } from "./story.js";

/** Shows firings in an element, and the new ones as they come. */
export async function showFirings(root, scope, query) {
  const load = async () => {
    const items = itemsOf((await recall("/firings?limit=100", { signal: scope.signal })).data);
    replace(root, items.length ? h("ul", { class: "plain firings panel" }, items.map((one) => row(one, query)))
      : emptyState(t("firing.emptyTitle"), t("firing.empty")));
  };
  await load();
  // A message about an alert leads here: its firing is shown first.
  requestAnimationFrame(() => root.querySelector("[aria-current]")?.scrollIntoView({ block: "center" }));
  scope.listen(window, "bitpal:firing", () => attempt(load));
}

function row(firing, query) {
  const time = firing.fired;
  const isMeant = query.get("id") === firing.rule
    && (!query.get("epoch") || query.get("epoch") === String(firing.epoch));
  return h("li", { class: "firing", "aria-current": isMeant ? "true" : null },
    h("time", { class: "muted num", datetime: time }, format.when(time)),
    firing.instrument ? h("a", { href: `/#/instrument/${firing.instrument}`, class: "symbol" }, firing.instrument)
      : h("a", { href: "/#/portfolio", class: "symbol" }, t("nav.portfolio")),
    h("span", { class: "grow" }, reasonText(firing),
      firing.note && h("span", { class: "muted" }, ` · ${firing.note}`)),
    h("button", { class: "small", onclick: () => attempt(() => showStory({ id: firing.rule })) }, t("alert.why")));
}

/** Shows deliveries: what was told over which channel, and what failed. */
export async function showDeliveries(root, scope) {
  const items = itemsOf((await recall("/deliveries?limit=100", { signal: scope.signal })).data);
  const again = (id) => attempt(() => post(`/deliveries/${id}/redeliver`), t("delivery.again"));
  replace(root, items.length ? h("ul", { class: "rules" }, items.map((one) => h("li", { class: "rule" },
    h("div", { class: "grow" }, h("p", { class: "rule-line" }, reasonText(one) || one.subject || ""),
      h("p", { class: "muted" }, [format.when(one.created), one.channel, one.last_error,
        one.next && one.state === "waiting" && t("delivery.next", { time: format.when(one.next) })]
        .filter(Boolean).join(" · "))),
    h("div", { class: "row" }, h("span", { class: "tag", dataset: { state: one.state } },
      tOr(`delivery.state.${one.state}`, one.state)),
    h("button", { class: "small", onclick: () => again(one.id) }, t("delivery.redeliver"))))))
    : emptyState(t("delivery.emptyTitle"), t("delivery.empty")));
}
