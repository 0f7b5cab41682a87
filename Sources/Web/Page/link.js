// JSON-RPC over a WebSocket that comes back by itself.

const waitMsMin = 250, waitMsMax = 5000;

export class Link {
  #socket = null;
  #calls = new Map();
  #lastId = 0;
  #wait = waitMsMin;
  #timer = 0;

  /** `onUp()` after each connect, `onDown()` after each loss or failure, `onEvent(method, params)`. */
  constructor(onUp, onDown, onEvent) {
    Object.assign(this, { onUp, onDown, onEvent });
    addEventListener("online", () => this.#retry());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.#retry(); });
    this.#connect();
  }

  get isUp() { return this.#socket?.readyState === WebSocket.OPEN; }

  #connect() {
    clearTimeout(this.#timer);
    const socket = new WebSocket("/socket");
    this.#socket = socket;
    socket.onopen = () => this.onUp();
    socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
    socket.onclose = () => {
      this.#socket = null;
      for (const call of this.#calls.values()) call.reject({ message: "The connection was lost.", lost: true });
      this.#calls.clear();
      this.onDown();
      this.#timer = setTimeout(() => this.#connect(), this.#wait);
      this.#wait = Math.min(this.#wait * 2, waitMsMax);
    };
  }

  #retry() {
    if (this.#socket) return;
    this.#wait = waitMsMin;
    this.#connect();
  }

  #take(message) {
    // That the server took the connection says nothing: the gateway behind it may be away.
    this.#wait = waitMsMin;
    if (message.method) return this.onEvent(message.method, message.params);
    const call = this.#calls.get(message.id);
    this.#calls.delete(message.id);
    if (message.error) call?.reject(message.error);
    else call?.resolve(message.result);
  }

  /** The result of a method; rejected with its error object, or with `{lost:true}`. */
  call(method, params) {
    return new Promise((resolve, reject) => {
      if (!this.isUp) return reject({ message: "There is no connection.", lost: true });
      const id = ++this.#lastId;
      this.#calls.set(id, { resolve, reject });
      this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }
}
