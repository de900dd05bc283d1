/**
 * Sign in with Apple: the page leaves for Apple's and comes back with an identity token, which is worth something only
 * together with the nonce that this tab kept.
 * @module
 */
import { get, post } from "./api.js";

const place = "bitpal.apple";

/** Whether this page can leave for Apple's. */
export async function offersApple() {
  const { apple } = await get("/session").catch(() => ({}));
  return Boolean(apple);
}

/**
 * Leaves.
 * @param {{ next?: string, isLink?: boolean }} errand what is to be done with the answer
 */
export async function goToApple(errand) {
  const { nonce, authorization } = await post("/auth/apple/options");
  sessionStorage.setItem(place, JSON.stringify({ nonce, ...errand }));
  location.href = authorization;
}

/** The nonce and the errand, once; null for a tab that did not leave. */
export function backFromApple() {
  const kept = sessionStorage.getItem(place);
  sessionStorage.removeItem(place);
  return kept && JSON.parse(kept);
}
