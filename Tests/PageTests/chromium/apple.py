"""In the place of Apple: a page that posts what it says of somebody, and the keys that it is signed with."""

import base64
import html
import http.server
import json
import os
import subprocess
import tempfile
import threading
import time
import urllib.parse

FORM = """<!doctype html><title>Apple</title><form method="post" action="{action}">{fields}</form>
<script>document.forms[0].submit()</script>"""
# Of a public key on P-256 in DER the point's two halves come last.
HALF = 32


def plain(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def openssl(*arguments, given=b""):
    return subprocess.run(["openssl", *arguments], input=given, capture_output=True, check=True).stdout


def half(der, place):
    """A number of a signature in DER, in 32 bytes, and where the next one begins."""
    length = der[place + 1]
    number = der[place + 2:place + 2 + length].lstrip(b"\0").rjust(HALF, b"\0")
    return number, place + 2 + length


class Apple:
    """Listens until it is closed."""

    def __init__(self, port):
        self.folder = tempfile.TemporaryDirectory()
        self.key = os.path.join(self.folder.name, "key.pem")
        openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", self.key)
        # Whom it vouches for; None for somebody who does not go on.
        self.person = None
        apple = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                place = urllib.parse.urlsplit(self.path)
                is_page = place.path == "/authorize"
                body = apple.page(dict(urllib.parse.parse_qsl(place.query))) if is_page else json.dumps(apple.keys())
                self.send_response(200)
                self.send_header("Content-Type", "text/html" if is_page else "application/json")
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.folder.cleanup()

    def keys(self):
        point = openssl("ec", "-in", self.key, "-pubout", "-outform", "DER")[-2 * HALF:]
        return {"keys": [{"kty": "EC", "kid": "one", "use": "sig", "alg": "ES256", "crv": "P-256",
            "x": plain(point[:HALF]), "y": plain(point[HALF:])}]}

    def page(self, asked):
        assert asked["response_mode"] == "form_post" and asked["scope"] == "email", asked
        fields = {"code": "c", "id_token": self.token(asked)} if self.person else {"error": "user_cancelled_authorize"}
        return FORM.format(action=html.escape(asked["redirect_uri"]), fields="".join(
            f'<input type="hidden" name="{name}" value="{html.escape(value)}">' for name, value in fields.items()))

    def token(self, asked):
        now = int(time.time())
        claims = {"iss": "https://appleid.apple.com", "aud": asked["client_id"], "iat": now, "exp": now + 600,
            "sub": f"001.{self.person}", "nonce": asked["nonce"], "email": self.person, "email_verified": "true"}
        said = ".".join(plain(json.dumps(part).encode()) for part in [{"alg": "ES256", "kid": "one"}, claims])
        der = openssl("dgst", "-sha256", "-sign", self.key, given=said.encode())
        first, place = half(der, 2)
        return f"{said}.{plain(first + half(der, place)[0])}"
