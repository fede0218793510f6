/** The official client, version 2, of either era. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { setTimeout as wait } from 'node:timers/promises';
import { check, within } from './tally.mjs';

const HEARD_MS = 30_000;

export class OfficialClient {
  #client;
  #tally;
  #url;
  #name;
  #mode;
  #random;
  #heard = () => {};
  #count = 0;

  constructor({ url, tally, name, random, mode }) {
    this.#url = url;
    this.#tally = tally;
    this.#name = name;
    this.#random = random;
    this.#mode = mode;
  }

  /** Actions with their relative frequencies. */
  actions = {
    echo: [10, () => this.#echo()],
    list: [3, () => this.#list()],
    error: [2, () => this.#fail()],
    cancel: [2, () => this.#cancel()],
    stream: [2, () => this.#talk()],
    elicitation: [2, () => this.#ask()],
    subscription: [1, () => this.#listen()],
    reconnect: [1, () => this.#reconnect()],
  };

  async open() {
    this.#client = new Client(
      { name: this.#name, version: '1.0.0' },
      { versionNegotiation: { mode: this.#mode }, capabilities: { elicitation: {} } },
    );
    this.#client.setRequestHandler('elicitation/create', () => ({
      action: 'accept',
      content: { name: this.#name },
    }));
    this.#client.fallbackNotificationHandler = async (notification) => this.#heard(notification);
    await this.#client.connect(new StreamableHTTPClientTransport(new URL(this.#url)));
  }

  async close() {
    if (this.#mode === 'legacy') await this.#client.transport?.terminateSession();
    await this.#client.close();
  }

  async #reconnect() {
    await this.close();
    await this.open();
    await this.#echo();
  }

  async #text(name, args, options) {
    const { content } = await this.#client.callTool({ name, arguments: args }, options);
    return content[0]?.text;
  }

  async #echo() {
    this.#count += 1;
    const said = `${this.#name} ${this.#count} ${'z'.repeat(this.#random(2000))}`;
    const text = await this.#text('echo', { text: said });
    this.#tally.echoed += 1;
    check(text === said, 'an echo of somebody else');
  }

  async #list() {
    const { tools } = await this.#client.listTools();
    check(tools.length >= 28, `${tools.length} tools`);
  }

  async #fail() {
    const { isError } = await this.#client.callTool({ name: 'fail', arguments: {} });
    check(isError === true, 'no error');
  }

  /** Cancels a running call. */
  async #cancel() {
    const controller = new AbortController();
    let begin = () => {};
    const begun = new Promise((resolve) => {
      begin = resolve;
    });
    const calling = this.#text(
      'slow',
      { ms: 60_000 },
      { signal: controller.signal, onprogress: () => begin() },
    );
    const answered = calling.then(
      () => true,
      () => false,
    );
    await within(begun, HEARD_MS, 'the beginning of a call');
    await wait(this.#random(20));
    controller.abort();
    check(!(await within(answered, HEARD_MS, 'the end of a call that was taken back')), 'it has an answer');
  }

  async #talk() {
    let last = 0;
    const onprogress = ({ progress }) => {
      last = progress;
    };
    check((await this.#text('talk', { steps: 4 }, { onprogress })) === 'talked', 'no result of a stream');
    check(last === 4, `the last progress was ${last}`);
  }

  async #ask() {
    check((await this.#text('ask', {})) === this.#name, 'no answer to a question');
  }

  /** Receives the notification of one change. */
  async #listen() {
    this.#count += 1;
    const uri = `soak://${this.#name}-${this.#count}/news`;
    const heard = new Promise((resolve) => {
      this.#heard = ({ method, params }) => {
        if (method === 'notifications/resources/updated' && params.uri === uri) resolve();
      };
    });
    const subscription =
      this.#mode === 'legacy'
        ? await this.#client.subscribeResource({ uri })
        : await this.#client.listen({ resourceSubscriptions: [uri] });
    await this.#text('touch', { uri });
    await within(heard, HEARD_MS, 'news');
    if (this.#mode === 'legacy') await this.#client.unsubscribeResource({ uri });
    else await subscription.close();
  }
}
