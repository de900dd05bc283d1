/**
 * New rules: what they are called, and how one is made once.
 * @module
 */
import { patch, post, randomKey } from "../api.js";

/** A random UUID of version 4. */
export function ruleID() {
  const digits = randomKey();
  const variant = "89ab"[parseInt(digits[16], 16) % 4];
  return [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, variant + digits.slice(17, 20),
    digits.slice(20, 32)].join("-");
}

/**
 * Makes a rule, once however often it is sent: the answer may be what is lost. If it says something else by
 * then, the rule that the first try has made is changed.
 * @param {string} id its name, and the key of the request
 * @param {object} rule with null for what it does not say
 */
export async function makeRule(id, rule) {
  try {
    await post("/alerts", { id, ...rule }, { key: id });
  } catch (error) {
    if (error.code !== "idempotency-mismatch") throw error;
    await patch(`/alerts/${id}`, rule);
  }
}
