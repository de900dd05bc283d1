/**
 * The list of keys.
 * @module
 */
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { openDialog } from "./dialog.js";

/** Shows which keys do what. */
export function showKeys() {
  const keys = [
    ["/", t("keys.search")], ["g h", t("nav.watchlist")], ["g d", t("nav.discover")], ["g a", t("nav.alerts")],
      ["g p", t("nav.portfolio")],
    ["g s", t("nav.settings")], ["↑ ↓", t("keys.move")], ["Alt ↑ ↓", t("keys.reorder")],
    ["Delete", t("keys.remove")], ["n", t("keys.new")], ["?", t("keys.this")],
  ];
  openDialog(t("keys.title"), () => h("dl", { class: "keys" }, keys.map(([key, what]) => [
    h("dt", {}, key.split(" ").map((part) => [h("kbd", {}, part), " "])), h("dd", {}, what)])));
}
