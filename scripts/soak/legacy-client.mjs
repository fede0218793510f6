/** A client of 2025-11-25 with a session, without a library. */
import { setTimeout as wait } from 'node:timers/promises';
import { answerTo, RawHttp } from './raw-http.mjs';
import { check, within } from './tally.mjs';

const VERSION = '2025-11-25';
const HEARD_MS = 30_000;

export class LegacyClient {
  #http;
  #tally;
  #name;
  #random;
  #session;
  #nextId = 0;

  constructor({ url, tally, name, random }) {
    this.#tally = tally;
    this.#name = name;
    this.#random = random;
    this.#http = new RawHttp(url);
  }

  /** Actions with their relative frequencies. */
  actions = {
    echo: [10, () => this.#echo()],
    list: [3, () => this.#list()],
    error: [2, () => this.#fail()],
    cancel: [3, () => this.#cancel()],
    stream: [3, () => this.#talk()],
    resume: [2, () => this.#comeBack()],
    subscription: [1, () => this.#listen()],
    reconnect: [1, () => this.#reconnect()],
  };

  async open() {
    const params = {
      protocolVersion: VERSION,
      capabilities: {},
      clientInfo: { name: this.#name, version: '1' },
    };
    const { headers } = await this.#http.post({ id: 'hello', method: 'initialize', params }, {});
    this.#session = headers['mcp-session-id'];
    check(typeof this.#session === 'string', 'no session');
    await this.#notify('notifications/initialized');
  }

  async close() {
    await this.#leave();
    this.#http.close();
  }

  #headers() {
    return { 'mcp-session-id': this.#session, 'mcp-protocol-version': VERSION };
  }

  async #leave() {
    const { status } = await this.#http.exchange({ method: 'DELETE', headers: this.#headers() });
    check(status === 204, `leaving: ${status}`);
  }

  /** Most clients delete their session; some only disconnect. */
  async #reconnect() {
    if (this.#random(8) > 0) await this.#leave();
    await this.open();
    await this.#echo();
  }

  async #notify(method, params) {
    const { status } = await this.#http.post({ method, params }, this.#headers());
    check(status === 202, `${method}: ${status}`);
  }

  async #request(method, params, reading) {
    this.#nextId += 1;
    const id = this.#nextId;
    const { events } = await this.#http.post({ id, method, params }, this.#headers(), reading);
    return { answer: answerTo(id, events), events };
  }

  async #call(name, args) {
    const { answer, events } = await this.#request('tools/call', {
      name,
      arguments: args,
      _meta: { progressToken: this.#nextId },
    });
    return { text: answer.result?.content?.[0]?.text, answer, events };
  }

  async #echo() {
    const said = `${this.#name} ${this.#nextId} ${'y'.repeat(this.#random(2000))}`;
    const { text } = await this.#call('echo', { text: said });
    this.#tally.echoed += 1;
    check(text === said, 'an echo of somebody else');
  }

  async #list() {
    const method = ['tools/list', 'prompts/list', 'resources/list', 'ping'][this.#random(4)];
    const { answer } = await this.#request(method, {});
    check(answer.result !== undefined, `no result of ${method}`);
  }

  async #fail() {
    const name = ['fail', 'nothing'][this.#random(2)];
    const { answer } = await this.#call(name, {});
    check(answer.error !== undefined || answer.result?.isError === true, `no error of ${name}`);
  }

  /** Cancels a running call; its stream ends without a response. */
  async #cancel() {
    this.#nextId += 1;
    const id = this.#nextId;
    let begin = () => {};
    const begun = new Promise((resolve) => {
      begin = resolve;
    });
    const params = { name: 'slow', arguments: { ms: 60_000 }, _meta: { progressToken: id } };
    const calling = this.#http.post({ id, method: 'tools/call', params }, this.#headers(), {
      onEvent: ({ message }) => message !== undefined && begin(),
    });
    calling.catch(() => {});
    await within(begun, HEARD_MS, 'the beginning of a call');
    await wait(this.#random(20));
    await this.#notify('notifications/cancelled', { requestId: id });
    const { events } = await calling;
    check(!events.some(({ message }) => message?.id === id), 'a call that was taken back has an answer');
  }

  async #talk() {
    const steps = 1 + this.#random(5);
    const { text, events } = await this.#call('talk', { steps });
    const told = events.filter(({ message }) => message?.method === 'notifications/progress');
    check(text === 'talked', 'no result of a stream');
    check(told.at(-1)?.message.params.progress === steps, 'the last progress is missing');
  }

  /** Disconnects during a response, and resumes the stream. */
  async #comeBack() {
    this.#nextId += 1;
    const id = this.#nextId;
    const controller = new AbortController();
    const seen = [];
    let begin = () => {};
    const begun = new Promise((resolve) => {
      begin = resolve;
    });
    const onEvent = (event) => {
      seen.push(event);
      begin();
    };
    const params = { name: 'talk', arguments: { steps: 5 }, _meta: { progressToken: id } };
    const calling = this.#http.post({ id, method: 'tools/call', params }, this.#headers(), {
      onEvent,
      signal: controller.signal,
    });
    calling.catch(() => {});
    await within(begun, HEARD_MS, 'the beginning of a stream');
    await wait(this.#random(15));
    controller.abort();
    await calling.catch(() => {});
    const lastEventId = seen.findLast((event) => event.id !== undefined).id;
    const headers = { ...this.#headers(), accept: 'text/event-stream', 'last-event-id': lastEventId };
    const before = seen.length;
    const { events } = seen.some(({ message }) => message?.id === id)
      ? { events: [] }
      : await this.#http.exchange({ method: 'GET', headers });
    const all = [...seen.slice(0, before), ...events];
    check(answerTo(id, all).result?.content?.[0]?.text === 'talked', 'no result of a stream that was left');
    const ids = all.map((event) => event.id).filter((eventId) => eventId !== undefined);
    if (new Set(ids).size !== ids.length)
      throw Object.assign(new Error('an event came twice'), { isDuplicate: true });
  }

  /** Receives the notification of one change on the stream of its session, once. */
  async #listen() {
    const uri = `soak://${this.#name}-${this.#nextId}/news`;
    const controller = new AbortController();
    let times = 0;
    let hear = () => {};
    const heard = new Promise((resolve) => {
      hear = resolve;
    });
    const headers = { ...this.#headers(), accept: 'text/event-stream' };
    const onEvent = ({ message }) => {
      if (message?.method !== 'notifications/resources/updated' || message.params.uri !== uri) return;
      times += 1;
      hear();
    };
    const listening = this.#http.exchange(
      { method: 'GET', headers },
      { onEvent, signal: controller.signal, isEndless: true },
    );
    listening.catch(() => {});
    await this.#request('resources/subscribe', { uri });
    await this.#call('touch', { uri });
    await within(heard, HEARD_MS, 'news on the stream of a session');
    await this.#request('resources/unsubscribe', { uri });
    controller.abort();
    await listening.catch(() => {});
    if (times !== 1)
      throw Object.assign(new Error(`told ${times} times of one change`), { isDuplicate: true });
  }
}
