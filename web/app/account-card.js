/**
 * What the pages around accounts share.
 * @module
 */
import { h, replace, paced } from "./dom.js";
import { t, locale, languages } from "./i18n.js";
import { post } from "./api.js";
import { field } from "./forms.js";
import { signedIn } from "./session.js";

/** A narrow page with a heading. */
export function card(title, ...content) {
  return h("section", { class: "panel card stack" }, h("h1", {}, title), content);
}

/** Goes on after somebody signed in; everything is built again, in their language. */
export async function afterSignIn(next = "/") {
  await signedIn();
  const path = next.startsWith("/") ? next : "/";
  if (location.pathname === "/") {
    location.hash = path;
    dispatchEvent(new Event("bitpal:rebuild"));
  } else {
    location.href = `/#${path}`;
  }
}

/** The locale and time zone of this browser, as an account can have them. */
export function browserSettings() {
  const language = locale.split("-")[0];
  return {
    locale: languages[language] ? language : "en",
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC",
  };
}

/** A field for a new password, with what the server thinks of it. */
export function newPassword(name = "password", emailOf = () => undefined) {
  const meter = h("meter", { min: 0, max: 4, low: 2, high: 3, optimum: 4, value: 0,
    "aria-label": t("account.strength") });
  const words = h("p", { class: "field-about", role: "status" });
  const ask = paced(400, async () => {
    if (!input.value) return;
    try {
      const { score, accepted, reason } = await post("/auth/password-strength",
        { password: input.value, email: emailOf() || undefined });
      meter.value = score;
      replace(words, accepted ? t(`account.strength.${score}`) : (reason ?? t("account.strength.refused")));
    } catch {
      // The answer to the form itself counts.
    }
  });
  const element = field(t("account.newPassword"), { name, type: "password", autocomplete: "new-password",
    required: true,
    oninput: ask, hint: t("account.passwordHint") });
  const input = element.querySelector("input");
  element.append(meter, words);
  return element;
}
