"""Receivers of webhooks on loopback with a good certificate and with bad ones.

    tls_receiver.py FOLDER

Prints their ports as a line of JSON by kind (good, self_signed, wrong_host, expired), then the kind for each
request that was read. `authority.pem` in the folder is whom the good one is signed by.
"""

import asyncio
import json
import ssl
import sys

from certificates import Authority


def main():
    authority = Authority(sys.argv[1])
    files = {
        "good": authority.issue("good.pem"),
        "self_signed": authority.issue("self_signed.pem", by_itself=True),
        "wrong_host": authority.issue("wrong_host.pem", host="other.example.org"),
        "expired": authority.issue("expired.pem", age=3),
    }

    async def serve():
        ports = {}
        servers = []
        for kind, file in files.items():
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(file)

            async def answer(reader, writer, kind=kind):
                try:
                    await reader.readuntil(b"\r\n\r\n")
                    print(kind, flush=True)
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                    await writer.drain()
                    writer.close()
                except (OSError, asyncio.IncompleteReadError):
                    pass

            server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
            servers.append(server)
            ports[kind] = server.sockets[0].getsockname()[1]
        print(json.dumps(ports), flush=True)
        await asyncio.gather(*(server.serve_forever() for server in servers))

    asyncio.run(serve())


main()
