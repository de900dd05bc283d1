/**
 * Who is signed in shows it once more, before something that opens the account is added or ended.
 * @module
 */
import { t } from "../i18n.js";
import { field, username } from "../forms.js";
import { session } from "../session.js";
import { hasPasskeys, proveByPasskey } from "../passkeys.js";

/** The fields of a form that asks for it: none where a passkey will be asked for. */
export const proofFields = () => session.user.password === false ? [] : [
  username(session.user.email),
  field(t("account.currentPassword"),
    { name: "password", type: "password", required: true, autocomplete: "current-password" }),
  codeField(),
];

/** The field for a code of the authenticator, where one is in use. */
export const codeField = (isInUse = session.user.second_factor) => isInUse && field(t("account.code"), { name: "code",
  inputmode: "numeric", required: true, autocomplete: "one-time-code", hint: t("account.codeHint") });

/** What is sent, from what was typed; an account that only Apple opens has nothing to show. */
export async function proofOf({ password, code }, passkeys = []) {
  if (session.user.password !== false) return { password, ...(code ? { code } : {}) };
  return passkeys.length > 0 && hasPasskeys() ? { passkey: await proveByPasskey() } : {};
}
