/** A client of 2026-07-28 without a library. */
import { setTimeout as wait } from 'node:timers/promises';
import { answerTo, RawHttp } from './raw-http.mjs';
import { check, within } from './tally.mjs';

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const HEARD_MS = 30_000;

export class ModernClient {
  #http;
  #tally;
  #url;
  #name;
  #random;
  #nextId = 0;

  constructor({ url, tally, name, random }) {
    this.#url = url;
    this.#tally = tally;
    this.#name = name;
    this.#random = random;
    this.#http = new RawHttp(url);
  }

  /** Actions with their relative frequencies. */
  actions = {
    echo: [10, () => this.#echo()],
    list: [3, () => this.#list()],
    'read, get, complete': [2, () => this.#read()],
    error: [2, () => this.#fail()],
    cancel: [3, () => this.#cancel()],
    stream: [3, () => this.#talk()],
    task: [1, () => this.#runTask()],
    subscription: [1, () => this.#listen()],
    change: [1, () => this.#call('change', {})],
    reconnect: [1, () => this.#reconnect()],
  };

  async open() {}

  async close() {
    this.#http.close();
  }

  async #reconnect() {
    this.#http.close();
    this.#http = new RawHttp(this.#url);
    await this.#echo();
  }

  /** Sends a request. Returns its response and the messages before it. */
  async #request(method, params, { meta = {}, ...reading } = {}) {
    this.#nextId += 1;
    const id = this.#nextId;
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': TASKS,
      ...meta,
    };
    const name = params.name ?? params.uri ?? params.taskId;
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    };
    const { events } = await this.#http.post({ id, method, params: { ...params, _meta } }, headers, reading);
    return { answer: answerTo(id, events), events };
  }

  async #call(name, args, options) {
    const { answer, events } = await this.#request('tools/call', { name, arguments: args }, options);
    return { text: answer.result?.content?.[0]?.text, answer, events };
  }

  async #echo() {
    const said = `${this.#name} ${this.#nextId} ${'x'.repeat(this.#random(2000))}`;
    const { text } = await this.#call('echo', { text: said });
    this.#tally.echoed += 1;
    check(text === said, 'an echo of somebody else');
  }

  async #list() {
    const method = ['tools/list', 'prompts/list', 'resources/list', 'server/discover'][this.#random(4)];
    const { answer } = await this.#request(method, {});
    check(answer.result !== undefined, `no result of ${method}`);
  }

  async #read() {
    const { answer: read } = await this.#request('resources/read', { uri: 'soak://page' });
    check(read.result?.contents?.[0]?.text === 'a page', 'no page');
    const { answer: got } = await this.#request('prompts/get', {
      name: 'greet',
      arguments: { who: this.#name },
    });
    check(JSON.stringify(got.result).includes(`Hello, ${this.#name}.`), 'no prompt');
  }

  async #fail() {
    const wrong = [
      { name: 'fail', args: {} },
      { name: 'nothing', args: {} },
      { name: 'echo', args: { text: 1 } },
    ];
    const { name, args } = wrong[this.#random(wrong.length)];
    const { answer } = await this.#call(name, args);
    check(answer.error !== undefined || answer.result?.isError === true, `no error of ${name}`);
  }

  /** Cancels a call by disconnecting. */
  async #cancel() {
    const controller = new AbortController();
    const calling = this.#call('slow', { ms: 60_000 }, { signal: controller.signal });
    const failed = calling.then(
      () => new Error('a cancelled call has a response'),
      (error) => (error.name === 'AbortError' ? undefined : error),
    );
    await wait(this.#random(20));
    controller.abort();
    const error = await failed;
    if (error !== undefined) throw error;
  }

  async #talk() {
    const steps = 1 + this.#random(5);
    const { text, events } = await this.#call('talk', { steps }, { meta: { progressToken: this.#nextId } });
    const told = events.filter(({ message }) => message?.method === 'notifications/progress');
    check(text === 'talked', 'no result of a stream');
    // Unread notifications are coalesced: only the latest is kept.
    const last = told.at(-1)?.message.params.progress;
    check(
      told.length <= steps && last === steps,
      `progress ${last} of ${steps} in ${told.length} notifications`,
    );
  }

  async #runTask() {
    const { answer } = await this.#call('job', {});
    const taskId = answer.result?.taskId;
    check(typeof taskId === 'string', 'no task');
    const end = performance.now() + HEARD_MS;
    for (;;) {
      const { answer: task } = await this.#request('tasks/get', { taskId });
      if (task.result?.status === 'completed') return;
      check(task.result?.status === 'working' && performance.now() < end, 'a task that does not end');
      await wait(10);
    }
  }

  /** Receives the notification of one change, once. */
  async #listen() {
    const uri = `soak://${this.#name}-${this.#nextId}/news`;
    const controller = new AbortController();
    const heard = [];
    let hear = () => {};
    const onEvent = ({ message }) => {
      heard.push(message.method);
      hear();
    };
    const next = (method) =>
      within(
        new Promise((resolve) => {
          hear = () => heard.includes(method) && resolve();
          hear();
        }),
        HEARD_MS,
        method,
      );
    const params = { notifications: { resourceSubscriptions: [uri], toolsListChanged: true } };
    const listening = this.#request('subscriptions/listen', params, {
      onEvent,
      signal: controller.signal,
      isEndless: true,
    });
    listening.catch(() => {});
    await next('notifications/subscriptions/acknowledged');
    await this.#call('touch', { uri });
    await next('notifications/resources/updated');
    controller.abort();
    const times = heard.filter((method) => method === 'notifications/resources/updated').length;
    if (times !== 1)
      throw Object.assign(new Error(`told ${times} times of one change`), { isDuplicate: true });
  }
}
