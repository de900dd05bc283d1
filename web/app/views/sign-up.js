/**
 * Sign-up, with an invitation where the server wants one.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { get, post } from "../api.js";
import { field, form } from "../forms.js";
import { session, signedIn } from "../session.js";
import { afterSignIn, browserSettings, card, newPassword } from "../account-card.js";

/** Shows it. */
export async function show(root, { query }) {
  const invitation = query.get("token") ?? "";
  // Where only those who are invited may, what they need is asked for at once.
  const rule = await get("/session").then((answer) => answer.sign_up, () => "open");
  const element = form({
    fields: [
      field(t("account.email"), { name: "email", type: "email", autocomplete: "username", required: true }),
      newPassword("password", () => element.elements.email.value),
      h("details", { open: Boolean(invitation) || rule === "invitation" }, h("summary", {}, t("account.hasInvitation")),
        field(t("account.invitation"), { name: "invitation", value: invitation, autocomplete: "off" })),
    ],
    submit: t("account.signUp"),
    run: async ({ email, password, invitation: code }) => {
      await post("/auth/sign-up", { email, password, ...(code ? { invitation: code } : {}),
        ...browserSettings() });
      await signedIn();
      if (session.user) return await afterSignIn("/");
      replace(root, card(t("account.verifyTitle"), h("p", { role: "status" },
        t("account.verifySent", { email }))));
    },
  });
  replace(root, card(t("account.signUp"), h("p", { class: "muted" }, t("account.signUpAbout")), element,
    h("p", {}, t("account.hasAccount"), " ", h("a", { href: "/#/sign-in" }, t("account.signIn")))));
  return t("account.signUp");
}
