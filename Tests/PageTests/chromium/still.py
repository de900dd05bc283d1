"""A market that stands still until a test moves it: what the stream and the API say of it is said here."""

import json

from browser import wait

# The channels in `still` are not asked of the server: each subscription has the snapshot that is there.
STILL = """
    window.still = %s;
    const [send, told] = [WebSocket.prototype.send, new Map()];
    WebSocket.prototype.send = function (message) {
      const { op, id, channel, key, after } = JSON.parse(message);
      if (op === 'unsubscribe' && told.delete(id)) return;
      if (op !== 'subscribe' || !(channel in window.still)) return send.call(this, message);
      told.set(id, [channel, key]);
      // Who goes on from where a connection ended hears what follows.
      if (!window.still[channel] || after) return;
      const snapshot = { id, type: 'snapshot', epoch: '1', sequence: 1, data: window.still[channel] };
      setTimeout(() => this.onmessage?.({ data: JSON.stringify(snapshot) }));
    };
    const sockets = [];
    const Socket = window.WebSocket;
    window.WebSocket = class extends Socket {
      constructor(url) {
        super(url);
        sockets.push(this);
      }
    };
    window.tell = (channel, data, key) => {
      let count = 0;
      for (const [id, [name, about]] of told) {
        if (name !== channel || (key && key !== about)) continue;
        sockets.at(-1).onmessage({ data: JSON.stringify({ id, type: 'change', sequence: 2, data }) });
        count += 1;
      }
      return count;
    };
"""
# What is asked of the API below these paths is answered here.
ANSWERED = """
    {
      const [fetched, answers] = [window.fetch, %s];
      window.asked = [];
      window.fetch = async (address, options) => {
        window.asked.push(String(address));
        const found = Object.keys(answers).find((path) => String(address).startsWith(`/v1${path}`));
        return found ? Response.json(answers[found]) : fetched(address, options);
      };
    }
"""


def before(driver, source):
    """Runs in each document that is loaded from now on, before the page."""
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})


def stand_still(driver, channels):
    """From the next view on these channels say what is given: the data of a snapshot, or nothing."""
    before(driver, STILL % json.dumps(channels))


def answer(driver, answers):
    """From the next view on the API says this below these paths."""
    before(driver, ANSWERED % json.dumps(answers))


def tell(driver, channel, data, key=None):
    """A change of a channel that stands still, for who follows it; of all of its keys or of one."""
    wait(driver, lambda: driver.execute_script("return window.tell(...arguments)", channel, data, key),
        f"somebody who follows {channel}")
