/** The honest clients of an attacked server: their small calls and outcomes. */
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

const EVERY_MS = 50;
/** Timeout of a request. */
const PATIENCE_MS = 10_000;
const MAX_REASONS = 10;
const LONG_TEXT = 'x'.repeat(1_000_000);
const MODERN = '2026-07-28';
const LEGACY = '2025-11-25';
const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

/** The server sheds the request, with Retry-After. */
class Shed extends Error {}

/** Counts of one kind of request (served, shed, failed), and durations. */
class Fared {
  answered = 0;
  shed = 0;
  wrong = 0;
  reasons = [];
  times = [];

  async count(act) {
    const start = performance.now();
    try {
      await act();
      this.answered += 1;
    } catch (error) {
      if (error instanceof Shed) this.shed += 1;
      else this.#blame(error);
    }
    this.times.push(performance.now() - start);
  }

  #blame({ message }) {
    this.wrong += 1;
    if (this.reasons.length < MAX_REASONS && !this.reasons.includes(message)) this.reasons.push(message);
  }

  get p99() {
    const sorted = this.times.toSorted((one, other) => one - other);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0;
  }
}

/**
 * Twenty small calls a second: anonymous and authenticated, over new connections and over kept ones. Also, once a second, a session of an
 * earlier revision, and a call with a body of 1 MB.
 */
export class HonestClients {
  calls = new Fared();
  sessions = new Fared();
  bodies = new Fared();
  #ports;
  #agent = new Agent({ keepAlive: true, maxFreeSockets: 2 });
  #isOver = false;
  #running;

  constructor(ports) {
    this.#ports = ports;
  }

  start() {
    this.#running = this.#run();
  }

  /** Stops sending requests, and waits for the running ones. */
  async stop() {
    this.#isOver = true;
    await this.#running;
    this.#agent.destroy();
  }

  /** Sends one request of each kind. Throws if one of them fails. */
  async tryAll() {
    for (const isNamed of [false, true]) {
      await this.#add({ isNamed, isKept: false });
      await this.#useSession(isNamed);
      await this.#sendBody(isNamed);
      await this.#runTask(isNamed);
    }
  }

  async #run() {
    const going = new Set();
    const begin = (fared, act) => {
      const done = fared.count(act);
      going.add(done);
      void done.then(() => going.delete(done));
    };
    for (let turn = 0; !this.#isOver; turn += 1) {
      begin(this.calls, () => this.#add({ isNamed: turn % 2 === 1, isKept: turn % 4 < 2 }));
      if (turn % 20 === 10) begin(this.sessions, () => this.#useSession(turn % 40 === 10));
      if (turn % 20 === 0) begin(this.bodies, () => this.#sendBody(turn % 40 === 0));
      await wait(EVERY_MS);
    }
    await Promise.all(going);
  }

  async #add({ isNamed, isKept }) {
    const { body } = await this.#call({ isNamed, isKept }, 'add', { a: 2, b: 3 });
    const sum = JSON.parse(body).result?.content?.[0]?.text;
    if (sum !== '5') throw new Error(`2 + 3 is ${body.slice(0, 200)}`);
  }

  #sendBody(isNamed) {
    return this.#call({ isNamed, isKept: false }, 'hold', { ms: 0, text: LONG_TEXT });
  }

  #runTask(isNamed) {
    return this.#call({ isNamed, isKept: false }, 'job', { ms: 1 });
  }

  #call(how, name, args) {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    };
    const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': name };
    return this.#post(
      how,
      { id: 1, method: 'tools/call', params: { name, arguments: args, _meta } },
      headers,
    );
  }

  async #useSession(isNamed) {
    const how = { isNamed, isKept: false };
    const params = {
      protocolVersion: LEGACY,
      capabilities: {},
      clientInfo: { name: 'honest', version: '1' },
    };
    const opened = await this.#post(how, { id: 1, method: 'initialize', params }, {});
    const headers = { 'mcp-protocol-version': LEGACY, 'mcp-session-id': opened.headers['mcp-session-id'] };
    await this.#post(how, { method: 'notifications/initialized' }, headers);
    const called = { id: 2, method: 'tools/call', params: { name: 'add', arguments: { a: 2, b: 3 } } };
    await this.#post(how, called, headers);
    await this.#exchange(how, { method: 'DELETE', headers });
  }

  #post(how, message, headers) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    return this.#exchange(how, { method: 'POST', headers, body });
  }

  /** Sends a request and reads its response; rejects unless the request was served. */
  #exchange({ isNamed, isKept }, { method, headers, body }) {
    return new Promise((resolve, reject) => {
      const outgoing = request({
        host: '127.0.0.1',
        port: isNamed ? this.#ports.named : this.#ports.open,
        path: '/mcp',
        method,
        agent: isKept ? this.#agent : false,
        headers: { ...ACCEPT, ...headers, ...(isNamed ? { authorization: 'Bearer honest' } : {}) },
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      outgoing.on('error', ({ code, name }) => reject(new Error(`${method}: ${code ?? name}`)));
      outgoing.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        response.on('error', ({ code, name }) => reject(new Error(`${method}: ${code ?? name}`)));
        response.on('end', () => {
          const { statusCode: status, headers: received } = response;
          if (status >= 200 && status < 300) resolve({ headers: received, body: text });
          else if (status === 503 && received['retry-after'] !== undefined) reject(new Shed());
          else reject(new Error(`${method}: ${status} ${text.slice(0, 200)}`));
        });
      });
      outgoing.end(body);
    });
  }
}
