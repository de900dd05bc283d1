/**
 * Names of new rules.
 * @module
 */
import { randomKey } from "../api.js";

/** A random UUID of version 4. */
export function ruleID() {
  const digits = randomKey();
  const variant = "89ab"[parseInt(digits[16], 16) % 4];
  return [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, variant + digits.slice(17, 20),
    digits.slice(20, 32)].join("-");
}
