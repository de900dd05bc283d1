"""A real SMTP server on loopback: prints its port, then each letter as a line of JSON.

    smtp_receiver.py CERTIFICATE KEY USER PASSWORD

It offers STARTTLS, refuses letters without it and without the name and password, and refuses the
receiver nobody@example.org for good and later@example.org for now.
"""

import asyncio
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult


class Printer:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address == "nobody@example.org":
            return "550 5.1.1 no such mailbox"
        if address == "later@example.org":
            return "451 4.3.0 not now"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        letter = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "data": envelope.content.decode("utf-8"),
            "tls": session.ssl is not None,
        }
        print(json.dumps(letter), flush=True)
        return "250 OK"


def main():
    certificate, key, user, password = sys.argv[1:5]
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)

    def authenticate(server, session, envelope, mechanism, data):
        known = data.login == user.encode() and data.password == password.encode()
        return AuthResult(success=known)

    async def serve():
        def protocol():
            return SMTP(
                Printer(), tls_context=context, require_starttls=True, authenticator=authenticate,
                auth_required=True)

        loop = asyncio.get_running_loop()
        server = await loop.create_server(protocol, "127.0.0.1", 0)
        print(server.sockets[0].getsockname()[1], flush=True)
        await server.serve_forever()

    asyncio.run(serve())


main()
