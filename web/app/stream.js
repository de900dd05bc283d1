/**
 * One WebSocket for everything live. Subscriptions survive a lost connection: each is asked for again after the
 * epoch and sequence that was seen last. Where no WebSocket comes through, REST is polled instead.
 * @module
 */
import { poll } from "./polling.js";

const heardPlace = "bitpal.heard";
/** Silence after which a connection counts as lost: two heartbeats and a bit, in milliseconds. */
const silence = 35_000;
/** Waits before each try, in seconds; the last one again and again. */
const waits = [1, 2, 4, 8, 15, 30];
/** Tries in a row that may fail before "Error" asks for a decision. */
const patience = 8;
/** Until something is asked for again that could not be followed, in milliseconds. */
const refusedWait = 5_000;
/** Between tries from then on, and while polling stands in: the way may be free later. In milliseconds. */
const longWait = 60_000;
/** For a connection that is given up before it is open, in milliseconds. */
const handshakeGrace = 2_000;
/** Tries that never opened before polling is tried. */
const triesBeforePolling = 3;

/**
 * The stream client. Fires `state` whenever {@link state} changed, and `refused` when the server ended it for who asks.
 *
 * States: `connecting`, `live`, `polling`, `reconnecting` (see {@link secondsLeft}), `offline`, `error`.
 */
export class Stream extends EventTarget {
  state = "connecting";
  secondsLeft = 0;
  /** When the server was last heard, in milliseconds, also by the page as it was before; null for never. */
  heard = Number(localStorage.getItem(heardPlace)) || null;
  #socket = null;
  #subscriptions = new Map();
  #nextID = 1;
  #tries = 0;
  #hasOpened = false;
  #watchdog = 0;
  #countdown = 0;
  #stopPolling = null;

  constructor(url) {
    super();
    this.url = url;
    addEventListener("offline", () => this.#goOffline());
    addEventListener("online", () => this.connect());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && ["reconnecting", "error"].includes(this.state)) this.connect();
    });
  }

  /** Connects now, whatever was waited for. */
  connect() {
    clearInterval(this.#countdown);
    this.#drop();
    if (!navigator.onLine) return this.#goOffline();
    if (!this.#stopPolling) this.#become(this.#stateOfTry());
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    socket.onopen = () => this.#opened();
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = ({ code } = {}) => socket === this.#socket && this.#lost(code);
    this.#feedWatchdog(8_000);
  }

  #stateOfTry() {
    if (this.#tries > patience) return "error";
    return this.#tries ? "reconnecting" : "connecting";
  }

  /** Begins again from nothing: for another user, or by "Try again". */
  restart() {
    this.#tries = 0;
    this.#endPolling();
    for (const subscription of this.#subscriptions.values()) subscription.position = null;
    this.connect();
  }

  /**
   * Follows a channel.
   * @param {string} channel @param {string} key
   * @param {(event: {type: "snapshot"|"change"|"skipped"|"error", data?: any}) => void} handle
   * @returns {() => void} ends it
   */
  subscribe(channel, key, handle) {
    const subscription = { id: `s${this.#nextID++}`, channel, key, handle, position: null };
    this.#subscriptions.set(subscription.id, subscription);
    if (this.#isOpen) this.#ask(subscription.id);
    return () => {
      if (!this.#subscriptions.delete(subscription.id)) return;
      if (this.#isOpen) this.#send({ op: "unsubscribe", id: subscription.id });
    };
  }

  get #isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  #opened() {
    this.#tries = 0;
    this.#hasOpened = true;
    this.#endPolling();
    this.#become("live");
    for (const id of this.#subscriptions.keys()) this.#ask(id);
    this.#feedWatchdog();
  }

  #ask(id) {
    const { channel, key, position } = this.#subscriptions.get(id);
    this.#send({ op: "subscribe", id, channel, key, ...(position ? { after: position } : {}) });
  }

  /** Asks again on the same connection; on another one everything is asked for anyway. */
  #askLater(id) {
    const socket = this.#socket;
    setTimeout(() => {
      if (socket === this.#socket && this.#isOpen && this.#subscriptions.has(id)) this.#ask(id);
    }, refusedWait);
  }

  #send(message) {
    this.#socket.send(JSON.stringify(message));
  }

  #hear() {
    const now = Date.now();
    const isNew = now - (this.heard ?? 0) > 1_000;
    this.heard = now;
    try {
      if (isNew) localStorage.setItem(heardPlace, now);
    } catch {
      // A full store: the age after a reload is then that of before.
    }
  }

  #receive(text) {
    this.#feedWatchdog();
    this.#hear();
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    const subscription = this.#subscriptions.get(message.id);
    if (!subscription) return;
    if (message.type === "error" && message.problem?.code === "unavailable") this.#askLater(message.id);
    if (message.type === "snapshot") {
      subscription.position = { epoch: message.epoch, sequence: message.sequence };
    } else if (message.type === "change") {
      if (subscription.position) subscription.position.sequence = message.sequence;
    } else if (message.type === "skipped" && subscription.channel === "book") {
      // A book with a hole is none: ask for the whole, under another id that old changes do not have.
      this.#subscriptions.delete(subscription.id);
      this.#send({ op: "unsubscribe", id: subscription.id });
      subscription.id = `s${this.#nextID++}`;
      subscription.position = null;
      this.#subscriptions.set(subscription.id, subscription);
      return this.#ask(subscription.id);
    } else if (message.type !== "skipped" && message.type !== "error") {
      return;
    }
    subscription.handle(message);
  }

  #lost(code) {
    this.#drop();
    // The server no longer serves whom it knew (RFC 6455, 7.4.1).
    if (code === 1008) this.dispatchEvent(new Event("refused"));
    if (!navigator.onLine) return this.#goOffline();
    this.#tries += 1;
    if (!this.#hasOpened && this.#tries >= triesBeforePolling) return this.#beginPolling();
    if (this.#tries > patience) return this.#giveUp();
    this.#wait(waits[Math.min(this.#tries, waits.length) - 1]);
  }

  #wait(seconds) {
    this.#become("reconnecting", seconds);
    this.#countdown = setInterval(() => {
      if (this.secondsLeft <= 1) this.connect();
      else this.#become("reconnecting", this.secondsLeft - 1);
    }, 1000);
  }

  /** Says so, and goes on all the same: nobody may be looking at this screen. */
  #giveUp() {
    this.#become("error");
    this.#countdown = setInterval(() => this.connect(), longWait);
  }

  #goOffline() {
    clearInterval(this.#countdown);
    this.#endPolling();
    this.#drop();
    this.#become("offline");
  }

  #beginPolling() {
    this.#endPolling();
    this.#stopPolling = poll(
      () => [...this.#subscriptions.values()],
      (isAnswered) => {
        if (isAnswered) this.#hear();
        this.#become(isAnswered ? "polling" : "error");
      });
    this.#countdown = setInterval(() => this.connect(), longWait);
  }

  #endPolling() {
    this.#stopPolling?.();
    this.#stopPolling = null;
  }

  #drop() {
    clearTimeout(this.#watchdog);
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onclose = socket.onmessage = socket.onopen = null;
    if (socket.readyState !== WebSocket.CONNECTING) return socket.close();
    // Browsers complain in the console about one that is closed before it is open; but they open one at a time,
    // and one that hangs would keep the next waiting.
    socket.onopen = () => socket.close();
    setTimeout(() => socket.close(), handshakeGrace);
  }

  #feedWatchdog(wait = silence) {
    clearTimeout(this.#watchdog);
    this.#watchdog = setTimeout(() => this.#lost(), wait);
  }

  #become(state, secondsLeft = 0) {
    if (state === this.state && secondsLeft === this.secondsLeft) return;
    this.state = state;
    this.secondsLeft = secondsLeft;
    this.dispatchEvent(new Event("state"));
  }
}

/** The page's one stream. */
export const stream = new Stream(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/v1/stream`);
