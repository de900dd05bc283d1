"""Signs in to a gateway with authenticators that are not ours: pyotp's codes and fido2's passkeys.

    check_accounts.py codes SECRET SECONDS...
    check_accounts.py passkey ADDRESS ORIGIN COOKIE ALGORITHM PASSWORD

`codes` prints the code of each time. `passkey` registers one with the session of the cookie, signs in with it
twice and tries what must be refused; it prints the status of each request, a line each.
"""

import base64
import json
import os
import sys
import urllib.error
import urllib.request


def codes(secret, times):
    import pyotp

    for time in times:
        print(pyotp.TOTP(secret).at(int(time)))


def text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Site:
    def __init__(self, address, cookie):
        self.address, self.cookie = address, cookie

    def post(self, path, body=None, with_cookie=True):
        headers = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
        if with_cookie:
            headers["Cookie"] = self.cookie
        data = json.dumps(body).encode() if body is not None else b""
        request = urllib.request.Request(self.address + path, data, headers, method="POST")
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)


class Device:
    """A passkey in memory, whose bytes are made by fido2."""

    def __init__(self, algorithm):
        from cryptography.hazmat.primitives.asymmetric import ec, ed25519
        from fido2.cose import ES256, EdDSA

        if algorithm == "ES256":
            self.private = ec.generate_private_key(ec.SECP256R1())
            self.public = ES256.from_cryptography_key(self.private.public_key())
        else:
            self.private = ed25519.Ed25519PrivateKey.generate()
            self.public = EdDSA.from_cryptography_key(self.private.public_key())
        self.is_elliptic = algorithm == "ES256"
        self.id = os.urandom(32)
        self.counter = 0

    def sign(self, data):
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import ec

        return self.private.sign(data, ec.ECDSA(hashes.SHA256())) if self.is_elliptic else self.private.sign(data)

    def data(self, site, is_new):
        from fido2.utils import sha256
        from fido2.webauthn import AttestedCredentialData, AuthenticatorData

        flags = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV
        self.counter += 1
        credential = b""
        if is_new:
            flags |= AuthenticatorData.FLAG.AT
            credential = AttestedCredentialData.create(b"\0" * 16, self.id, self.public)
        return AuthenticatorData.create(sha256(site.encode()), flags, self.counter, credential)

    def create(self, options, origin, is_packed):
        from fido2.webauthn import AttestationObject, CollectedClientData

        client = CollectedClientData.create("webauthn.create", options["challenge"], origin)
        data = self.data(options["rp"]["id"], True)
        statement = {"alg": self.public.ALGORITHM, "sig": self.sign(data + client.hash)} if is_packed else {}
        attestation = AttestationObject.create("packed" if is_packed else "none", data, statement)
        response = {"clientDataJSON": text(bytes(client)), "attestationObject": text(bytes(attestation)),
                    "transports": ["internal"]}
        return {"name": "Device", "id": text(self.id), "rawId": text(self.id), "type": "public-key",
                "clientExtensionResults": {"credProps": {"rk": True}}, "response": response}

    def get(self, options, origin):
        from fido2.webauthn import CollectedClientData

        client = CollectedClientData.create("webauthn.get", options["challenge"], origin)
        data = self.data(options["rpId"], False)
        response = {"clientDataJSON": text(bytes(client)), "authenticatorData": text(bytes(data)),
                    "signature": text(self.sign(data + client.hash)), "userHandle": None}
        return {"id": text(self.id), "rawId": text(self.id), "type": "public-key", "response": response}


def passkey(address, origin, cookie, algorithm, password):
    site, device = Site(address, cookie), Device(algorithm)

    def say(status, body, what=None):
        print(status, body.get("code") or (body.get(what) if what else "") or "", flush=True)

    # A session alone makes no passkey.
    say(*site.post("/v1/auth/passkeys/register/options", {}))
    options = site.post("/v1/auth/passkeys/register/options", {"password": password})[1]
    say(*site.post("/v1/auth/passkeys/register", device.create(options, "https://evil.example", False)))
    options = site.post("/v1/auth/passkeys/register/options", {"password": password})[1]
    answer = device.create(options, origin, algorithm == "ES256")
    say(*site.post("/v1/auth/passkeys/register", answer), "name")
    # The same answer again: its question was answered.
    say(*site.post("/v1/auth/passkeys/register", answer))
    # The same key again, to a new question.
    options = site.post("/v1/auth/passkeys/register/options", {"password": password})[1]
    say(*site.post("/v1/auth/passkeys/register", device.create(options, origin, False)))
    for _ in range(2):
        options = site.post("/v1/auth/passkeys/sign-in/options", with_cookie=False)[1]
        answer = device.get(options, origin)
        say(*site.post("/v1/auth/passkeys/sign-in", answer, with_cookie=False))
    say(*site.post("/v1/auth/passkeys/sign-in", answer, with_cookie=False))
    # A copy that has counted less.
    device.counter = 1
    options = site.post("/v1/auth/passkeys/sign-in/options", with_cookie=False)[1]
    say(*site.post("/v1/auth/passkeys/sign-in", device.get(options, origin), with_cookie=False))
    # Somebody else's key under this id.
    other = Device(algorithm)
    other.id, other.counter = device.id, 100
    options = site.post("/v1/auth/passkeys/sign-in/options", with_cookie=False)[1]
    say(*site.post("/v1/auth/passkeys/sign-in", other.get(options, origin), with_cookie=False))


if sys.argv[1] == "codes":
    codes(sys.argv[2], sys.argv[3:])
else:
    passkey(*sys.argv[2:])
