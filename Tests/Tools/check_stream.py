"""Follows a gateway's stream with an independent WebSocket client, Debian's python3-websockets.

    check_stream.py ws://HOST:PORT/v1/stream INSTRUMENT LAST COMPRESSION

Subscribes to the ticker of an instrument, answers pings by itself, reads the snapshot and then changes until the
last price is LAST, checks that the numbers follow each other with what was skipped, sends a message in fragments,
and closes with 1000. Prints "ok" and the number of changes. COMPRESSION is "deflate" to offer permessage-deflate, which
the gateway does not take and goes on without, or "none".
"""
import asyncio
import json
import sys

import websockets


async def fragments(text):
    for part in text:
        yield part


async def drain(socket):
    async for _ in socket:
        pass


async def check(address, instrument, last, compression):
    async with websockets.connect(address, compression=None if compression == "none" else compression) as socket:
        assert "Sec-WebSocket-Extensions" not in socket.response_headers, socket.response_headers
        request = {"op": "subscribe", "id": "py", "channel": "ticker", "key": instrument}
        await socket.send(fragments(json.dumps(request)))
        sequence, changes, price = None, 0, None
        while price != last:
            message = json.loads(await socket.recv())
            kind = message["type"]
            if kind == "snapshot":
                sequence, price = message["sequence"], message["data"]["last"]
            elif kind == "skipped":
                sequence += message["count"]
            elif kind == "change":
                assert message["sequence"] == sequence + 1, message
                sequence, price = message["sequence"], message["data"]["last"]
                changes += 1
            else:
                assert kind in ("subscribed", "heartbeat"), message
        # What goes on coming is read: this client answers nothing while 32 messages wait for who reads them.
        reading = asyncio.create_task(drain(socket))
        pong = await socket.ping(b"are you there")
        await pong
        await socket.close(1000)
        await reading
    assert socket.close_code == 1000, socket.close_code
    print("ok", changes)


asyncio.run(check(*sys.argv[1:5]))
