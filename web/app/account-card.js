/**
 * What the pages around accounts share.
 * @module
 */
import { h, replace, paced } from "./dom.js";
import { t, locale, languages } from "./i18n.js";
import { post } from "./api.js";
import { field } from "./forms.js";
import { signedIn } from "./session.js";

/** How many characters a password may have. */
const [shortest, longest] = [15, 256];

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
  const words = h("p", { class: "strength", role: "status" });
  const say = (score, isAccepted) => {
    meter.value = score;
    words.dataset.way = isAccepted ? (score > 2 ? "up" : "") : "down";
    replace(words, input.value && (isAccepted ? t(`account.strength.${score}`) : fault()));
  };
  const ask = paced(400, async () => {
    const password = input.value;
    if (!password) return say(0, false);
    try {
      const { score, accepted } = await post("/auth/password-strength",
        { password, email: emailOf() || undefined });
      if (password === input.value) say(score, accepted);
    } catch {
      // The answer to the form itself counts.
    }
  });
  // The server's rules in the reader's words; that it is easy to guess is what is left when its length is right.
  const fault = () => {
    const { length } = [...input.value];
    return length < shortest ? t("account.passwordShort", { n: shortest })
      : length > longest ? t("account.passwordLong", { n: longest }) : t("problem.weak-password");
  };
  const element = field(t("account.newPassword"), { name, type: "password", autocomplete: "new-password",
    required: true,
    oninput: ask, hint: t("account.passwordHint"), explains: fault });
  const input = element.querySelector("input");
  element.append(meter, words);
  return element;
}
