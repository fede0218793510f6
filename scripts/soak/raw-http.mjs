/** Raw HTTP, for clients without a library. */
import { Agent, request } from 'node:http';

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Timeout after which a response counts as lost. */
const LOST_MS = 30_000;

/** Persistent connections of one client. */
export class RawHttp {
  #agent = new Agent({ keepAlive: true });
  #url;

  constructor(url) {
    this.#url = new URL(url);
  }

  post(message, headers, reading) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    return this.exchange({ method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body }, reading);
  }

  /**
   * Sends a request and reads its response: `{ status, headers, events }`, each event with an optional id and a message. Rejects if the
   * response is incomplete. `onEvent` gets events as they arrive; `signal` disconnects; `isEndless` disables the timeout.
   */
  exchange({ method, headers, body }, { onEvent, signal, isEndless = false } = {}) {
    return new Promise((resolve, reject) => {
      const { hostname, port, pathname } = this.#url;
      const outgoing = request({
        hostname,
        port,
        path: pathname,
        method,
        headers,
        agent: this.#agent,
        signal,
      });
      const timer = isEndless
        ? undefined
        : setTimeout(() => outgoing.destroy(new Error('no answer')), LOST_MS);
      const fail = (error) => {
        clearTimeout(timer);
        reject(error);
      };
      outgoing.on('error', fail);
      outgoing.on('response', (response) => {
        const reader = new EventReader(response.headers['content-type'], onEvent);
        response.setEncoding('utf8');
        response.on('data', (text) => reader.push(text));
        response.on('error', fail);
        response.on('close', () => {
          clearTimeout(timer);
          if (!response.complete) return reject(new Error('cut off'));
          const { statusCode: status, headers: received } = response;
          return resolve({ status, headers: received, events: reader.finish() });
        });
      });
      outgoing.end(body);
    });
  }

  close() {
    this.#agent.destroy();
  }
}

/** The messages of a response: one JSON message, or those of its events. */
class EventReader {
  #isStream;
  #onEvent;
  #text = '';
  #events = [];

  constructor(type = '', onEvent = () => {}) {
    this.#isStream = type.startsWith('text/event-stream');
    this.#onEvent = onEvent;
  }

  push(text) {
    this.#text += text;
    if (!this.#isStream) return;
    const blocks = this.#text.split('\n\n');
    this.#text = blocks.pop();
    for (const block of blocks) this.#take(block);
  }

  finish() {
    if (!this.#isStream && this.#text !== '') this.#add({ message: JSON.parse(this.#text) });
    return this.#events;
  }

  #take(block) {
    const data = /^data: (.+)$/m.exec(block)?.[1];
    const id = /^id: (.+)$/m.exec(block)?.[1];
    if (data !== undefined || id !== undefined)
      this.#add({ id, message: data === undefined ? undefined : JSON.parse(data) });
  }

  #add(event) {
    this.#events.push(event);
    this.#onEvent(event);
  }
}

/** The response to a request among events. Throws if there is none, or more than one. */
export function answerTo(id, events) {
  const answers = events.filter(({ message }) => message?.id === id && message.method === undefined);
  if (answers.length !== 1) throw new DuplicateOrNone(answers.length);
  return answers[0].message;
}

/** A request with no response, or more than one. */
export class DuplicateOrNone extends Error {
  constructor(count) {
    super(count === 0 ? 'no answer in the response' : `${count} answers to one request`);
    this.isDuplicate = count > 1;
  }
}
