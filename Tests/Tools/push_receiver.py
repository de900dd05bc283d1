"""Apple's push service and a browser's, as one server of HTTP/2 on loopback that takes nothing else.

    push_receiver.py FOLDER TEAM KEY TOPIC

Makes what both sides need (`authority.pem` and `apns.p8` in the folder) and prints the rest as a line of JSON:
`port`, and `p256dh`, `auth` of a browser. Then a line of JSON for each request: what it checked of the token,
the headers, and the payload, which for a browser it decrypts. A device of which the token begins with `dead` has
gone (410), as has the browser `/push/dead`. What is signed wrongly is refused with 403.
"""

import asyncio
import base64
import json
import pathlib
import ssl
import sys
import time

import http_ece
import jwt
from certificates import Authority, pem
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import ConnectionTerminated, DataReceived, RequestReceived, StreamEnded

TEAM, KEY, TOPIC = sys.argv[2:5]
AUTHENTICATION = b"0123456789abcdef"


def unbase64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def base64_text(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Refused(Exception):
    pass


class Services:
    def __init__(self, folder):
        self.apns = ec.generate_private_key(ec.SECP256R1())
        (folder / "apns.p8").write_bytes(pem(self.apns))
        self.browser = ec.generate_private_key(ec.SECP256R1())
        self.origin = ""

    def answer(self, headers, body):
        """Status, body and what is printed."""
        path = headers[":path"]
        try:
            if path.startswith("/3/device/"):
                return self.apple(path.removeprefix("/3/device/"), headers, body)
            return self.push(path, headers, body)
        except (Refused, KeyError, ValueError, jwt.PyJWTError, http_ece.ECEException) as error:
            reason = f"{type(error).__name__}: {error}"
            return 403, {"reason": reason}, {"kind": "refused", "path": path, "reason": reason}

    def apple(self, device, headers, body):
        token = headers["authorization"].removeprefix("bearer ")
        claims = jwt.decode(token, self.apns.public_key(), algorithms=["ES256"])
        if claims["iss"] != TEAM or jwt.get_unverified_header(token)["kid"] != KEY:
            raise Refused("InvalidProviderToken")
        if not -60 <= time.time() - claims["iat"] < 3600:
            raise Refused("ExpiredProviderToken")
        is_activity = headers["apns-push-type"] == "liveactivity"
        if headers["apns-topic"] != TOPIC + (".push-type.liveactivity" if is_activity else ""):
            raise Refused("TopicDisallowed")
        if len(body) > 4096:
            raise Refused("PayloadTooLarge")
        line = {"kind": "apns", "device": device, "headers": headers, "payload": json.loads(body)}
        if device.startswith("dead"):
            return 410, {"reason": "Unregistered", "timestamp": 1}, line
        return 200, None, line

    def push(self, path, headers, body):
        parts = dict(
            part.strip().split("=", 1) for part in headers["authorization"].removeprefix("vapid ").split(","))
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unbase64(parts["k"]))
        claims = jwt.decode(parts["t"], point, algorithms=["ES256"], audience=self.origin)
        if headers["content-encoding"] != "aes128gcm" or len(body) > 4096:
            raise Refused("it is not one record of aes128gcm")
        plain = http_ece.decrypt(
            body, private_key=self.browser, auth_secret=AUTHENTICATION, version="aes128gcm")
        line = {
            "kind": "web_push", "path": path, "headers": headers, "payload": json.loads(plain),
            "subject": claims["sub"], "seconds": claims["exp"] - time.time(), "key": parts["k"],
        }
        return (410 if path == "/push/dead" else 201), None, line


class Connection(asyncio.Protocol):
    def __init__(self, services):
        self.services = services
        self.streams = {}

    def connection_made(self, transport):
        self.transport = transport
        if transport.get_extra_info("ssl_object").selected_alpn_protocol() != "h2":
            transport.close()
            return
        self.http = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self.http.initiate_connection()
        transport.write(self.http.data_to_send())

    def data_received(self, data):
        for event in self.http.receive_data(data):
            if isinstance(event, RequestReceived):
                self.streams[event.stream_id] = (dict(event.headers), bytearray())
            elif isinstance(event, DataReceived):
                self.streams[event.stream_id][1].extend(event.data)
                self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, StreamEnded):
                self.finish(event.stream_id)
            elif isinstance(event, ConnectionTerminated):
                self.transport.close()
        self.transport.write(self.http.data_to_send())

    def finish(self, stream):
        headers, body = self.streams.pop(stream)
        status, answer, line = self.services.answer(headers, bytes(body))
        print(json.dumps(line), flush=True)
        content = b"" if answer is None else json.dumps(answer).encode()
        self.http.send_headers(stream, [(":status", str(status)), ("content-length", str(len(content)))])
        self.http.send_data(stream, content, end_stream=True)


def main():
    folder = pathlib.Path(sys.argv[1])
    services = Services(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(Authority(folder).issue("server.pem"))
    context.set_alpn_protocols(["h2"])

    async def serve():
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Connection(services), "127.0.0.1", 0, ssl=context)
        port = server.sockets[0].getsockname()[1]
        services.origin = f"https://localhost:{port}"
        public = services.browser.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
        print(json.dumps(
            {"port": port, "p256dh": base64_text(public), "auth": base64_text(AUTHENTICATION)}), flush=True)
        await server.serve_forever()

    asyncio.run(serve())


main()
