/**
 * Alerts: rules, what fired, channels, deliveries.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { showRules, newRule } from "../alerts/rules.js";
import { showFirings, showDeliveries } from "../alerts/firings.js";
import { showChannels } from "../alerts/channels.js";
import { sections } from "../sections.js";
import { staleBanner } from "../stale-banner.js";

/** Shows one of its sections. */
export async function show(root, { parts: [section = "rules"], query, scope }) {
  const content = h("div", { class: "stack" });
  let rules;
  replace(root, h("div", { class: "view-head" }, h("h1", {}, t("alert.title")),
    sections("/alerts", ["rules", "firings", "channels", "deliveries"], section,
      (name) => t(`alert.section.${name}`)),
    h("div", { class: "row end" }, section === "rules" && newRule(() => rules))), staleBanner(scope), content);
  if (section === "firings") await showFirings(content, scope, query);
  else if (section === "channels") await showChannels(content, scope);
  else if (section === "deliveries") await showDeliveries(content, scope);
  else rules = await showRules(content, scope);
  scope.listen(window, "keydown", (event) => {
    if (event.key !== "n" || !rules || event.target.closest("input, textarea, select, dialog")) return;
    event.preventDefault();
    rules.edit();
  });
  return t("alert.title");
}
