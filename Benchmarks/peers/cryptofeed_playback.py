"""Plays Bitpal recordings through cryptofeed's own playback and prints its speed, one JSON line each.

Run by `make bench-peers`; needs an environment with cryptofeed installed and reads no network.

A recording is written back, under --work, in the files that cryptofeed's AsyncFileCallback makes:
  NAME.0        the instrument list that its feed asks for first, and the subscription
  NAME.http.0   the REST snapshots, by address
  NAME.ws.0     the WebSocket messages, one a line
and given to cryptofeed.raw_data_collection.playback, which drives the feed's parsing, normalising and
books exactly as a live connection does. The callbacks are the ones that playback brings: they count.

What is timed is the message loop alone: from the end of the last subscribe to the feed's stop. Loading
the instrument list and constructing the feed are left out, in the peer's favour. cryptofeed's playback
leaves checksum validation off, also in the peer's favour.
"""

import argparse
import collections
import gzip
import json
import logging
import os
import statistics
import sys
import time

from cryptofeed.connection import HTTPSync
from cryptofeed.defines import CANDLES, L2_BOOK, TICKER, TRADES
from cryptofeed.exchanges import EXCHANGE_MAP
from cryptofeed.raw_data_collection import playback
from cryptofeed.symbols import Symbols
from yapic import json as peer_json  # cryptofeed's parser: its feeds expect the datetimes that it makes.

# Our venue name: cryptofeed's name of the feed.
FEEDS = {
    "bitmex": "BITMEX",
    "binance": "BINANCE",
    "binance-us": "BINANCE_US",
    "binance-usdm": "BINANCE_FUTURES",
    "kraken": "KRAKEN",
}

# The recordings that came from cryptofeed and whose venues Bitpal speaks.
RECORDINGS = [
    "bitmex_20210722",
    "kraken_v1_20210417",
    "binance_20211012",
    "binanceus_20211012",
    "binancefutures_20210722",
]


class Recording:
    """One recording, read whole: what was asked over REST, what was received, what was subscribed."""

    def __init__(self, path):
        self.responses = []  # (address, text), in order
        self.messages = []  # (seconds, text), in order
        self.subscriptions = collections.defaultdict(list)  # channel of the venue: symbols of the venue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            self.venue = json.loads(next(lines))["venue"]
            for line in lines:
                self._take(json.loads(line))

    def _take(self, entry):
        seconds = entry["t"] / 1e9
        if entry["kind"] == "http":
            if entry["dir"] == "in":
                self.responses.append((entry["url"], entry["data"].replace("\n", "")))
        elif entry["dir"] == "in":
            self.messages.append((seconds, entry["data"].replace("\n", "")))
        elif entry["dir"] == "open":
            self._subscribe_by_address(entry["url"])
        else:
            self._subscribe_by_message(json.loads(entry["data"]))

    def _subscribe_by_address(self, url):
        # Binance: ?streams=btcusdt@depth@100ms/btcusdt@kline_1m
        _, _, streams = url.partition("streams=")
        for stream in filter(None, streams.split("/")):
            symbol, channel, *_ = stream.split("@")
            channel = "kline_" if channel.startswith("kline_") else channel
            self.subscriptions[channel].append(symbol.upper())

    def _subscribe_by_message(self, message):
        for argument in message.get("args", []):  # BitMEX: "orderBookL2:XBTUSD"
            channel, _, symbol = argument.partition(":")
            self.subscriptions[channel].append(symbol)
        if message.get("event") == "subscribe":  # Kraken v1
            self.subscriptions[message["subscription"]["name"]] += message["pair"]


def convert(recording, name, folder):
    """Writes the recording as cryptofeed's files, relative to the current folder; returns their names."""
    feed = EXCHANGE_MAP[FEEDS[recording.venue]]
    instruments = recording.responses[0]
    standard_name = symbol_names(feed, instruments[1])
    channels = {feed.websocket_channels.get(name): name for name in (L2_BOOK, TRADES, TICKER, CANDLES)}
    subscription = {
        channels[channel]: sorted({standard_name[symbol] for symbol in symbols})
        for channel, symbols in recording.subscriptions.items()
        if channel in channels
    }
    # cryptofeed tells its files apart by "ws" and "http" anywhere in the path, hence the relative names.
    files = {
        f"./{name}.0": [
            f"{instruments[0]} -> 0: {instruments[1]}",
            f"configuration: {json.dumps(subscription)}",
        ],
        f"./{name}.http.0": [f"{url} -> 0: {text}" for url, text in recording.responses[1:]],
        f"./{name}.ws.0": [f"{seconds:.6f}: {text}" for seconds, text in recording.messages],
    }
    for file, lines in files.items():
        with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
            out.write("\n".join(lines) + "\n")
    return list(files)


def symbol_names(feed, instruments):
    """Venue symbol: cryptofeed's name, read from the recorded instrument list without a network."""
    Symbols.clear()
    original = HTTPSync.read
    HTTPSync.read = lambda *_, **__: peer_json.loads(instruments)
    try:
        return {symbol: name for name, symbol in feed.symbol_mapping().items()}
    finally:
        HTTPSync.read = original


class Stopwatch:
    """Notes when the feed was last subscribed and when it was stopped; adds nothing to a message."""

    def __init__(self, feed):
        self.started = self.stopped = None  # (seconds of the clock, seconds of the processor)
        self._feed, self._subscribe, self._stop = feed, feed.subscribe, feed.stop

    def __enter__(self):
        async def subscribe(*arguments):
            await self._subscribe(*arguments)
            self.started = (time.perf_counter(), time.process_time())

        def stop(*arguments):
            self.stopped = self.stopped or (time.perf_counter(), time.process_time())
            return self._stop(*arguments)

        self._feed.subscribe, self._feed.stop = subscribe, stop
        return self

    def __exit__(self, *_):
        self._feed.subscribe, self._feed.stop = self._subscribe, self._stop

    @property
    def seconds(self):
        return self.stopped[0] - self.started[0]

    @property
    def share(self):
        """How much of the core the run had; well below 1 when others used it too."""
        return (self.stopped[1] - self.started[1]) / self.seconds


def expected_events(folder, name):
    """What the recording must give, by cryptofeed's names of the channels, from expected/<name>."""
    with open(os.path.join(folder, "expected", name, "summary.json"), encoding="utf-8") as file:
        summary = json.load(file)["summary"]
    counts = {
        L2_BOOK: sum(summary["book_updates"].values()),
        TRADES: summary["trades"],
        TICKER: summary["tickers"],
        CANDLES: summary["candles"],
    }
    return {channel: count for channel, count in counts.items() if count}


def measure(name, recording, files, expected, runs):
    feed_name = FEEDS[recording.venue]
    feed = EXCHANGE_MAP[feed_name]
    times, shares = [], []
    result = None
    for _ in range(runs + 1):  # The first run warms up and is not counted.
        Symbols.clear()
        with Stopwatch(feed) as watch:
            result = playback(feed_name, files)
        times.append(watch.seconds)
        shares.append(watch.share)
    messages = len(recording.messages)
    # A speed counts only when the work was done: every book update, trade, ticker and candle.
    if result != {"messages_processed": messages, "callbacks": expected}:
        sys.exit(f"error: {name}: cryptofeed gave {result}, expected {messages} messages and {expected}")
    if statistics.median(shares[1:]) < 0.9:
        print(f"warning: {name}: others used the core too; run again on a quiet machine", file=sys.stderr)
    seconds = statistics.median(times[1:])
    return {
        "name": name,
        "messages": messages,
        "seconds": round(seconds, 6),
        "messages_per_second": round(messages / seconds),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--recordings", required=True, help="folder of *.jsonl.gz")
    parser.add_argument("--work", required=True, help="folder for the converted files")
    parser.add_argument("--runs", type=int, default=5, help="timed runs of each recording; the median counts")
    parser.add_argument("names", nargs="*", default=RECORDINGS, help="recordings to play, without .jsonl.gz")
    arguments = parser.parse_args()
    logging.getLogger("feedhandler").addHandler(logging.StreamHandler(sys.stderr))
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # One core.
    os.makedirs(arguments.work, exist_ok=True)
    folder = os.path.abspath(arguments.recordings)
    os.chdir(arguments.work)
    for name in arguments.names:
        path = os.path.join(folder, f"{name}.jsonl.gz")
        if not os.path.isfile(path):
            sys.exit(f"error: {path} is not there; give the folder of recordings with BITPAL_RECORDINGS")
        recording = Recording(path)
        files = convert(recording, name, ".")
        result = measure(name, recording, files, expected_events(folder, name), arguments.runs)
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
