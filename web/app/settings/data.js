/**
 * Everything that is kept of a user, to take away or to erase.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { remove } from "../api.js";
import { field, form, username } from "../forms.js";
import { session } from "../session.js";
import { forget } from "../last-known.js";

/** Shows it in an element. */
export async function showData(root) {
  replace(root, h("section", { class: "panel stack" }, h("h2", {}, t("data.export")),
    h("p", { class: "muted" }, t("data.exportAbout")),
    h("div", { class: "row" }, h("a", { class: "button", href: "/v1/account/export",
      download: "bitpal.json" }, t("data.export")))),
  h("section", { class: "panel stack" }, h("h2", {}, t("data.erase")), h("p", {}, t("data.eraseAbout")),
    form({
    fields: [username(session.user.email), field(t("account.password"),
      { name: "password", type: "password", required: true, autocomplete: "current-password" })],
    submit: t("data.erase"),
    run: async ({ password }) => {
      await remove("/account", { password });
      forget();
      location.href = "/";
    },
  })));
}
