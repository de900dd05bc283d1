/**
 * One firing in a sentence.
 * @module
 */
import { t } from "./i18n.js";

/** The server's words, with the instrument; the note first where there is one. */
export function firingText(firing) {
  const what = firing.reason ?? firing.text ?? firing.detail ?? "";
  const name = firing.note || firing.instrument || "";
  return t("alert.fired", { name, what });
}
