// JSON-RPC over a WebSocket that comes back by itself.

const waitMsMin = 250, waitMsMax = 5000;

export class Link {
	#socket = null;
	#calls = new Map();
	#lastId = 0;
	#wait = waitMsMin;
	#timer = 0;

	/** `onUp()` after each connect, `onDown()` after each loss, `onEvent(params)`. */
	constructor(onUp, onDown, onEvent) {
		Object.assign(this, { onUp, onDown, onEvent });
		addEventListener("online", () => this.#socket || this.#connect());
		this.#connect();
	}

	get isUp() { return this.#socket?.readyState === 1; }

	#connect() {
		clearTimeout(this.#timer);
		const socket = this.#socket = new WebSocket("/socket");
		socket.onopen = () => this.onUp();
		socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
		socket.onclose = () => {
			this.#socket = null;
			for (const { reject } of this.#calls.values()) reject({ lost: true });
			this.#calls.clear();
			this.onDown();
			this.#timer = setTimeout(() => this.#connect(), this.#wait);
			this.#wait = Math.min(this.#wait * 2, waitMsMax);
		};
	}

	#take({ id, params, result, error }) {
		// Not when it opens: that says nothing of the gateway.
		this.#wait = waitMsMin;
		if (params) return this.onEvent(params);
		const call = this.#calls.get(id);
		this.#calls.delete(id);
		if (error) call?.reject(error);
		else call?.resolve(result);
	}

	/** Rejects with the error, or `{lost:true}`. */
	call(method, params) {
		return new Promise((resolve, reject) => {
			if (!this.isUp) return reject({ lost: true });
			this.#calls.set(++this.#lastId, { resolve, reject });
			this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id: this.#lastId, method, params }));
		});
	}
}
