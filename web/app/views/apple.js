/**
 * Where Apple leads back to: signs in with what it said, or links it with the account.
 * @module
 */
import { h, replace } from "../dom.js";
import { t } from "../i18n.js";
import { get, itemsOf, post, put, ApiError } from "../api.js";
import { explained } from "../problems.js";
import { form } from "../forms.js";
import { afterSignIn, browserSettings, card } from "../account-card.js";
import { codeField, proofFields, proofOf } from "../settings/proof.js";
import { backFromApple } from "../apple.js";
import { load, session } from "../session.js";
import { go } from "../navigation.js";
import { toast } from "../toast.js";

/** Shows it. */
export async function show(root, { query }) {
  const [token, errand] = [query.get("token"), backFromApple()];
  // What was said is good once, and nothing to be kept among the pages one was at.
  history.replaceState(null, "", "/#/apple");
  if (!token || !errand) tell(root, t(query.get("error") ? "apple.refused" : "apple.over"));
  else if (errand.isLink && session.user) await link(root, token, errand.nonce);
  else if (errand.isLink) tell(root, t("apple.over"));
  else await signIn(root, token, errand);
  return t("apple.signIn");
}

function tell(root, words) {
  replace(root, card(t("apple.signIn"), h("p", { role: "alert" }, words),
    h("a", { class: "button primary", href: session.user ? "/#/settings/security" : "/#/sign-in" }, t("action.continue"))));
}

async function signIn(root, token, { nonce, next }) {
  const come = async (more) => {
    await post("/auth/apple", { identity_token: token, nonce, ...browserSettings(), ...more });
    await afterSignIn(next);
  };
  try {
    await come({});
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code !== "second-factor-required") return tell(root, explained(error));
    replace(root, card(t("apple.signIn"), form({ fields: codeField(true), submit: t("action.signIn"),
      run: ({ code }) => come({ code }) })));
  }
}

async function link(root, token, nonce) {
  const passkeys = itemsOf(await get("/account/passkeys"));
  replace(root, card(t("apple.link"), h("p", { class: "muted" }, t("apple.linkAbout")), form({
    fields: proofFields(),
    submit: t("action.continue"),
    run: async (typed) => {
      await put("/account/apple", { identity_token: token, nonce, ...await proofOf(typed, passkeys) });
      await load();
      toast(t("apple.linked"), { kind: "good" });
      go("/settings/security");
    },
  })));
}
