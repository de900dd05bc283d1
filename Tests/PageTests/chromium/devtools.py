"""The browser's own protocol, with what the driver does not pass on: events, and workers."""

import asyncio
import json
import urllib.request

import websockets

# Against a hang only: every wait ends with the state it waits for.
PATIENCE = 300


class Devtools:
    """One connection to the browser; sessions are the page and its workers."""

    def __init__(self, driver):
        address = driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        with urllib.request.urlopen(f"http://{address}/json/version") as answer:
            url = json.load(answer)["webSocketDebuggerUrl"]
        self.loop = asyncio.new_event_loop()
        self.socket = self.loop.run_until_complete(self.connect(url))
        # Of a browser that tests share, only what belongs to this one is its own.
        self.context = {"browserContextId": driver.context} if getattr(driver, "context", None) else {}
        self.count = 0
        self.events = []

    @staticmethod
    async def connect(url):
        return await websockets.connect(url, max_size=None, ping_interval=None)

    def close(self):
        self.loop.run_until_complete(self.socket.close())
        self.loop.close()

    def call(self, method, session=None, **params):
        """The answer to a question; events that come before it are kept."""
        self.count += 1
        number = self.count
        message = {"id": number, "method": method, "params": params}
        self.send({**message, "sessionId": session} if session else message)
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def event(self, method, choose):
        """What the first event of a kind gives that is chosen, whether it came already or is still to come."""
        while True:
            for event in self.events:
                chosen = choose(event["params"]) if event.get("method") == method else None
                if chosen is not None:
                    return chosen
            self.events = [self.receive()]

    def attach(self, kind, url):
        """A session with the first target of a kind whose address begins so; None while there is none."""
        for target in self.call("Target.getTargets", filter=[{}])["targetInfos"]:
            is_ours = self.context.items() <= target.items()
            if is_ours and target["type"] == kind and target["url"].startswith(url):
                return self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        return None

    def grant(self, origin, *permissions):
        self.call("Browser.grantPermissions", origin=origin, permissions=list(permissions), **self.context)

    def evaluate(self, session, source):
        """The value of JavaScript in a session, awaited."""
        answer = self.call(
            "Runtime.evaluate", session, expression=source, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def send(self, message):
        self.loop.run_until_complete(self.socket.send(json.dumps(message)))

    def receive(self):
        return json.loads(self.loop.run_until_complete(asyncio.wait_for(self.socket.recv(), PATIENCE)))
