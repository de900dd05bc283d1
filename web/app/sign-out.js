/**
 * How its user ends a session: in which order the server, this browser as a device, and the page hear of it.
 * @module
 */
import { post } from "./api.js";
import { forgetSession } from "./session.js";
import { stream } from "./stream.js";

/** Ends the session here, or on every device; who comes next is told nothing of this user's alerts. */
export async function signOut(isEverywhere = false) {
  const push = await import("./push.js").catch(() => null);
  // While there is a session that may.
  await push?.switchOff();
  try {
    await post(isEverywhere ? "/auth/sign-out-everywhere" : "/auth/sign-out");
  } catch (error) {
    await push?.restoreDevice();
    throw error;
  }
  forgetSession();
  await push?.leave();
  stream.restart();
}
