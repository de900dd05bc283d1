/**
 * Passkeys, by the browser's WebAuthn. The API's options are WebAuthn's own, with bytes as base64url.
 * @module
 */
import { post } from "./api.js";

/** An address of digits: passkeys belong to names (WebAuthn, 5.1.3). */
const isNumber = /^(\d+(\.\d+){3}|\[.*\])$/.test(location.hostname);

/** Whether this browser can, at this address. */
export const hasPasskeys = () => "PublicKeyCredential" in window && isSecureContext && !isNumber;

/** The same page by its name, where only the name is missing; else null. */
export const addressForPasskeys = () =>
  isNumber && /^(127\.|\[::1\])/.test(location.hostname) ? `${location.protocol}//localhost:${location.port}` : null;

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")),
  (c) => c.charCodeAt(0));

const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

const withID = (list) => list?.map((one) => ({ ...one, id: bytes(one.id) }));

/** Makes a passkey for who is signed in, under a name; the proof is what `proofOf` in settings/proof.js makes. */
export async function registerPasskey(name, proof) {
  const answer = await post("/auth/passkeys/register/options", proof);
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
export const signInByPasskey = async () => await post("/auth/passkeys/sign-in", await proveByPasskey());

/** The answer of one to a new question. */
export async function proveByPasskey() {
  const answer = await post("/auth/passkeys/sign-in/options");
  const options = answer.publicKey ?? answer;
  const credential = await navigator.credentials.get({ publicKey: {
    ...options, challenge: bytes(options.challenge), allowCredentials: withID(options.allowCredentials),
  } });
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
  return { ...about(credential), response: {
    clientDataJSON: text(clientDataJSON), authenticatorData: text(authenticatorData),
    signature: text(signature), userHandle: userHandle ? text(userHandle) : null,
  } };
}

const about = (credential) => ({ id: credential.id, rawId: text(credential.rawId), type: credential.type });
