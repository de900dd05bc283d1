/**
 * The end of letters: what the link in a letter leads to. It asks first, since mail programs follow links by
 * themselves.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { ApiError, answered } from "../api.js";
import { explained } from "../problems.js";
import { card } from "../account-card.js";

/** Shows it. */
export async function show(root, { query }) {
  const token = query.get("token") ?? "";
  const message = h("p", { role: "alert", class: "form-error" });
  const button = h("button", { class: "primary", onclick: async () => {
    button.disabled = true;
    try {
      await end(token);
      replace(root, card(t("letters.title"), h("p", { role: "status" }, t("letters.ended")), home()));
    } catch (error) {
      button.disabled = false;
      const isWrong = error instanceof ApiError && error.field === "token";
      replace(message, isWrong ? t("letters.wrong") : explained(error));
    }
  } }, t("letters.end"));
  replace(root, card(t("letters.title"), h("p", {}, t("letters.about")), message,
    token ? button : h("p", {}, t("letters.wrong")), home()));
  return t("letters.title");
}

const home = () => h("p", {}, h("a", { href: "/#/alerts/channels" }, t("letters.channels")));

/** The very request that a mail program's button makes. */
const end = (token) => answered(fetch(`/unsubscribe?token=${encodeURIComponent(token)}`, { method: "POST",
  body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) }));
