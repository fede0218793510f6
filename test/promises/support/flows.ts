import { accept, textOf } from '../../protocol/support/rpc.ts';
import type { RpcMessage } from '../../protocol/support/rpc.ts';
import { answerIn } from './http-caller.ts';
import type { Ended } from './http-caller.ts';
import type { TokenClient } from './token-client.ts';

const ELICITATION = { capabilities: { elicitation: {} } };

/** The requests of one flow with `nodes-http.mjs`. */
export interface Requests {
  readonly user: string;
  /** A client for the next request. */
  next(): TokenClient;
}

/** The message of a response. */
export async function answerTo(sent: Promise<Ended>): Promise<RpcMessage> {
  const ended = await sent;
  const answer = answerIn(ended);
  if (answer === undefined) throw new Error(`no answer: ${ended.loss ?? ended.status}`);
  return answer;
}

/** The text of a result, or the message of an error. */
export async function textTo(sent: Promise<Ended>): Promise<string> {
  const answer = await answerTo(sent);
  return answer.error?.message ?? textOf(answer);
}

/** Sends the requests of a flow; `tools` is the expected list as JSON, if there is one. */
type Flow = (requests: Requests, tools?: string) => Promise<unknown>;

/** Each flow, with the outcome that it must have. */
export const FLOWS: Readonly<Record<string, readonly [flow: Flow, expected: unknown]>> = {
  'a list and a call': [
    async (requests, tools) => {
      const { result } = await answerTo(requests.next().modern('tools/list'));
      return [
        tools === undefined || JSON.stringify(result?.tools) === tools,
        await textTo(requests.next().call('plain')),
      ];
    },
    [true, 'plain'],
  ],
  'a call that asks twice': [
    async (requests) => {
      const params: Record<string, unknown> = { name: 'book', arguments: { for: requests.user } };
      for (const [name, seat] of [
        ['first', 'window'],
        ['second', 'aisle'],
      ] as const) {
        const { result } = await answerTo(requests.next().modern('tools/call', params, ELICITATION));
        if (result?.inputRequests?.[name] === undefined) return result;
        params['requestState'] = result.requestState;
        params['inputResponses'] = { [name]: accept({ name: seat }) };
      }
      const text = await textTo(requests.next().modern('tools/call', params, ELICITATION));
      return text === `window and aisle for ${requests.user}, receipt given`;
    },
    true,
  ],
  'a handle': [
    async (requests) => {
      const handle = await textTo(requests.next().call('keep', { text: `of ${requests.user}` }));
      return (await textTo(requests.next().call('kept', { handle }))) === `of ${requests.user}`;
    },
    true,
  ],
  'a confirmation': [
    async (requests) => {
      const preview = await textTo(requests.next().call('wipe'));
      const token = /confirmation_token "(\w+)"/.exec(preview)?.[1];
      const done = await textTo(requests.next().call('wipe', { confirmation_token: token }));
      return done.replace(/\d+/, 'n');
    },
    'wiped n',
  ],
  'a session of 2025-11-25': [
    async (requests) => {
      // Its two requests may go to one node.
      const session = await requests.next().openSession();
      const call = { method: 'tools/call', params: { name: 'plain', arguments: {} } };
      const texts = [await textTo(requests.next().inSession(session, call))];
      texts.push(await textTo(requests.next().inSession(session, call)));
      const { status } = await requests.next().leave(session);
      return [...texts, status, (await requests.next().inSession(session, call)).status];
    },
    ['plain', 'plain', 204, 404],
  ],
};
