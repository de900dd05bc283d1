/**
 * Passkeys, by the browser's WebAuthn. The API's options are WebAuthn's own, with bytes as base64url.
 * @module
 */
import { post } from "./api.js";

/** Whether this browser can. */
export const hasPasskeys = () => "PublicKeyCredential" in window && isSecureContext;

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")),
  (c) => c.charCodeAt(0));

const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

const withID = (list) => list?.map((one) => ({ ...one, id: bytes(one.id) }));

/** Makes a passkey for who is signed in, under a name. */
export async function registerPasskey(name) {
  const answer = await post("/auth/passkeys/register/options");
  const options = answer.publicKey ?? answer;
  const credential = await navigator.credentials.create({ publicKey: {
    ...options, challenge: bytes(options.challenge), user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: withID(options.excludeCredentials),
  } });
  await post("/auth/passkeys/register", { name, ...about(credential), response: {
    clientDataJSON: text(credential.response.clientDataJSON),
    attestationObject: text(credential.response.attestationObject),
    transports: credential.response.getTransports?.() ?? [],
  } });
}

/** Signs in by one. */
export async function signInByPasskey() {
  const answer = await post("/auth/passkeys/sign-in/options");
  const options = answer.publicKey ?? answer;
  const credential = await navigator.credentials.get({ publicKey: {
    ...options, challenge: bytes(options.challenge), allowCredentials: withID(options.allowCredentials),
  } });
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
  await post("/auth/passkeys/sign-in", { ...about(credential), response: {
    clientDataJSON: text(clientDataJSON), authenticatorData: text(authenticatorData),
      signature: text(signature),
    userHandle: userHandle ? text(userHandle) : null,
  } });
}

const about = (credential) => ({ id: credential.id, rawId: text(credential.rawId), type: credential.type });
