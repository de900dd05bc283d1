/**
 * The first operator, made by the one-time link that the server prints: `/setup#token=…`.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { post } from "../api.js";
import { field, form } from "../forms.js";
import { afterSignIn, card, newPassword } from "../account-card.js";

/** Shows it. */
export async function show(root, { query }) {
  const token = query.get("token");
  if (!token) {
    replace(root, card(t("setup.title"), h("p", {}, t("setup.noToken")),
      h("a", { class: "button", href: "/" }, t("nav.home"))));
    return t("setup.title");
  }
  const element = form({
    fields: [
      field(t("account.email"), { name: "email", type: "email", autocomplete: "username", required: true }),
      newPassword("password", () => element.elements.email.value),
    ],
    submit: t("setup.make"),
    run: async ({ email, password }) => {
      await post("/auth/first-operator", { token, email, password });
      // The link is used up: it shall not stay in the history.
      history.replaceState(null, "", "/setup");
      await afterSignIn("/");
    },
  });
  replace(root, card(t("setup.title"), h("p", { class: "muted" }, t("setup.about")), element));
  return t("setup.title");
}
