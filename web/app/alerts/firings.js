/**
 * What fired, newest first, and how it was told.
 * @module
 */
import { foreign, h } from "../dom.js";
import { t, tOr } from "../i18n.js";
import * as format from "../format.js";
import { post } from "../api.js";
import { firingKey, reasonText } from "../firing-text.js";
import { attempt } from "../toast.js";
import { emptyState } from "../quote-table.js";
import { NewestFirst } from "./newest-first.js";
import { showStory } from "./story.js";

/** Shows firings in an element, and the new ones as they come. */
export async function showFirings(root, scope, query) {
  const firings = new NewestFirst(root, { path: "/firings", signal: scope.signal,
    list: h("ul", { class: "plain firings panel" }),
    empty: () => emptyState(t("firing.emptyTitle"), t("firing.empty")),
    row: (one) => firingRow(one, query), idOf: firingKey });
  await firings.load();
  // A message about an alert leads here: its firing is shown first.
  requestAnimationFrame(() => root.querySelector("[aria-current]")?.scrollIntoView({ block: "center" }));
  scope.listen(window, "bitpal:firing", () => attempt(() => firings.load()));
}

function firingRow(firing, query) {
  const time = firing.fired;
  const isMeant = query.get("id") === firing.rule
    && (!query.get("epoch") || query.get("epoch") === String(firing.epoch));
  return h("li", { class: "firing", "aria-current": isMeant ? "true" : null },
    h("time", { class: "muted num", datetime: time }, format.when(time)),
    firing.instrument
      ? h("a", { href: `/#/instrument/${firing.instrument}`, class: "symbol" }, firing.instrument)
      : h("a", { href: "/#/portfolio", class: "symbol" }, t("nav.portfolio")),
    h("span", { class: "grow" }, reasonText(firing),
      firing.note && h("span", { class: "muted" }, ` · ${firing.note}`)),
    h("button", { class: "small", onclick: () => attempt(() => showStory({ id: firing.rule })) },
      t("alert.why")));
}

/** Shows deliveries: what was told over which channel, and what failed. */
export async function showDeliveries(root, scope) {
  const again = ({ id }) => attempt(async () => deliveries.put(await post(`/deliveries/${id}/redeliver`)),
    t("delivery.again"));
  const deliveries = new NewestFirst(root, { path: "/deliveries", signal: scope.signal,
    list: h("ul", { class: "rules" }), empty: () => emptyState(t("delivery.emptyTitle"), t("delivery.empty")),
    row: (one) => deliveryRow(one, () => again(one)), idOf: ({ id }) => id,
    stateOf: ({ state, failures }) => `${state}/${failures}` });
  await deliveries.load();
}

function deliveryRow(one, again) {
  const about = [format.when(one.created), one.channel,
    one.last_error && foreign(one.last_error),
    one.next && one.state === "waiting" && t("delivery.next", { time: format.when(one.next) })];
  return h("li", { class: "rule" },
    h("div", { class: "grow" }, h("p", { class: "rule-line" }, reasonText(one) || one.subject || ""),
      h("p", { class: "muted" }, about.filter(Boolean).flatMap((piece) => [" · ", piece]).slice(1))),
    h("div", { class: "row" }, h("span", { class: "tag", dataset: { state: one.state } },
      tOr(`delivery.state.${one.state}`, one.state)),
    // Only what was given up can be sent again.
    one.state === "dead" && h("button", { class: "small", onclick: again }, t("delivery.redeliver"))));
}
