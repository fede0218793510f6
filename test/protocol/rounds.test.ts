import { describe, expect } from 'vitest';
import { KeyRing } from '../../src/index.ts';
import { requirement } from './requirement.ts';
import { modernRequest } from './support/raw-http.ts';
import { startStdio } from './support/raw-stdio.ts';
import { accept, modernMessage, textOf } from './support/rpc.ts';
import type { RpcMessage } from './support/rpc.ts';
import { startHttp } from './support/sample.ts';
import type { HttpSample } from './support/sample.ts';

const FORM = { elicitation: {} };
const EVERYTHING = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

async function call(
  { http }: HttpSample,
  params: object,
  capabilities: object = EVERYTHING,
): Promise<RpcMessage> {
  return (await http.modern('tools/call', params, { capabilities })).json;
}

const ANN = { user_name: accept({ name: 'Ann' }) };

const WHO = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Who are you?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  },
};

describe('asking', () => {
  requirement('rounds:input-required', 'a question ends the request', async () => {
    await using sample = await startHttp();
    const { status, headers, json } = await sample.http.modern(
      'tools/call',
      { name: 'greet' },
      { id: 1, capabilities: FORM },
    );
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    const state = json.result?.requestState;
    expect(state).toMatch(/./);
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: {
        resultType: 'input_required',
        inputRequests: { user_name: WHO },
        requestState: state,
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'sample', version: '1.2.3' } },
      },
    });
  });

  requirement(
    'rounds:kinds',
    'forms, the model, folders and pages are asked for, several at once',
    async () => {
      await using sample = await startHttp();
      const asked = await call(sample, { name: 'ask_all' });
      expect(asked.result?.inputRequests).toEqual({
        user_name: WHO,
        capital: {
          method: 'sampling/createMessage',
          params: {
            messages: [{ role: 'user', content: { type: 'text', text: 'The capital of France?' } }],
            maxTokens: 10,
          },
        },
        folders: { method: 'roots/list', params: {} },
      });
      const inputResponses = {
        ...ANN,
        capital: { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' },
        folders: { roots: [{ uri: 'file:///home' }] },
      };
      const done = await call(sample, {
        name: 'ask_all',
        inputResponses,
        requestState: asked.result?.requestState,
      });
      expect(JSON.parse(textOf(done))).toEqual([
        { action: 'accept', content: { name: 'Ann' } },
        { type: 'text', text: 'Paris' },
        [{ uri: 'file:///home' }],
      ]);
      const page = await call(sample, { name: 'visit' });
      expect(page.result?.inputRequests).toEqual({
        page: {
          method: 'elicitation/create',
          params: { mode: 'url', message: 'Sign in', url: 'https://example.com/in' },
        },
      });
    },
  );

  requirement('rounds:requests', 'calls, prompts and reads may ask, lists do not', async () => {
    await using sample = await startHttp();
    const asking: [string, object][] = [
      ['tools/call', { name: 'greet' }],
      ['prompts/get', { name: 'ask_first' }],
      ['resources/read', { uri: 'docs://personal' }],
    ];
    for (const [method, params] of asking) {
      const first = (await sample.http.modern(method, params, { capabilities: FORM })).json.result;
      expect([method, first?.resultType]).toEqual([method, 'input_required']);
      const retry = { ...params, inputResponses: ANN, requestState: first?.requestState };
      const second = (await sample.http.modern(method, retry, { capabilities: FORM })).json.result;
      expect([method, second?.resultType]).toEqual([method, 'complete']);
      expect(JSON.stringify(second)).toContain('Ann');
    }
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'server/discover']) {
      const params = { inputResponses: ANN, requestState: 'anything' };
      const { json } = await sample.http.modern(method, params, { capabilities: EVERYTHING });
      expect([method, json.result?.resultType]).toEqual([method, 'complete']);
    }
  });

  requirement('rounds:undeclared', 'a client is not asked for what it did not declare', async () => {
    await using sample = await startHttp();
    const cases: [string, object, object][] = [
      ['greet', {}, { elicitation: { form: {} } }],
      ['greet', { sampling: {} }, { elicitation: { form: {} } }],
      ['greet', { elicitation: { url: {} } }, { elicitation: { form: {} } }],
      ['visit', { elicitation: {} }, { elicitation: { url: {} } }],
      ['visit', { elicitation: { form: {} } }, { elicitation: { url: {} } }],
    ];
    for (const [name, capabilities, requiredCapabilities] of cases) {
      const { error } = await call(sample, { name }, capabilities);
      expect([name, capabilities, error?.code, error?.data]).toEqual([
        name,
        capabilities,
        -32021,
        { requiredCapabilities },
      ]);
    }
    const part = await call(sample, { name: 'ask_all' }, { elicitation: {}, sampling: {} });
    expect(Object.keys(part.result?.inputRequests ?? {})).toEqual(['user_name', 'capital']);
  });
});

describe('answering', () => {
  requirement(
    'rounds:retry',
    'the same request with the answers is completed, on both transports',
    async () => {
      await using http = await startHttp();
      const first = await call(http, { name: 'greet', arguments: { greeting: 'Hi' } });
      const retry = {
        name: 'greet',
        arguments: { greeting: 'Hi' },
        inputResponses: ANN,
        requestState: first.result?.requestState,
      };
      const { result } = await call(http, retry);
      expect([result?.resultType, result?.content]).toEqual([
        'complete',
        [{ type: 'text', text: 'Hi, Ann!' }],
      ]);
      // Input that is sent with the request needs no state.
      expect(textOf(await call(http, { name: 'greet', inputResponses: ANN }))).toBe('Hello, Ann!');

      await using stdio = startStdio();
      const asked = await stdio.stdio.modern('tools/call', { name: 'greet' }, { capabilities: FORM });
      const again = { name: 'greet', inputResponses: ANN, requestState: asked.result?.requestState };
      const done = await stdio.stdio.modern('tools/call', again, { capabilities: FORM });
      expect(textOf(done)).toBe('Hello, Ann!');
    },
  );

  requirement('rounds:several', 'each round has its own state, which carries earlier answers', async () => {
    await using sample = await startHttp();
    const first = (await call(sample, { name: 'two_rounds' })).result;
    expect(Object.keys(first?.inputRequests ?? {})).toEqual(['first']);
    const second = (
      await call(sample, {
        name: 'two_rounds',
        inputResponses: { first: accept({ name: 'A' }) },
        requestState: first?.requestState,
      })
    ).result;
    expect(Object.keys(second?.inputRequests ?? {})).toEqual(['second']);
    expect(second?.requestState).not.toBe(first?.requestState);
    const third = await call(sample, {
      name: 'two_rounds',
      inputResponses: { second: accept({ name: 'B' }) },
      requestState: second?.requestState,
    });
    expect(textOf(third)).toBe(
      '[{"action":"accept","content":{"name":"A"}},{"action":"accept","content":{"name":"B"}}]',
    );
  });

  requirement('rounds:missing-answer', 'what was not answered, or not usably, is asked again', async () => {
    await using sample = await startHttp();
    const first = (await call(sample, { name: 'greet' })).result;
    const useless = [
      {},
      { wrong_key: accept({ name: 'Ann' }) },
      { user_name: 12_345 },
      { user_name: null },
      { user_name: { action: 'perhaps' } },
      { user_name: accept({ name: 7 }) },
      { user_name: { action: 'accept' } },
    ];
    for (const inputResponses of useless)
      for (const state of [{}, { requestState: first?.requestState }]) {
        const { result } = await call(sample, { name: 'greet', inputResponses, ...state });
        expect([inputResponses, result?.resultType]).toEqual([inputResponses, 'input_required']);
        expect(Object.keys(result?.inputRequests ?? {})).toEqual(['user_name']);
      }
    const part = await call(sample, { name: 'ask_all', inputResponses: ANN });
    expect(Object.keys(part.result?.inputRequests ?? {})).toEqual(['capital', 'folders']);
  });

  requirement('rounds:unknown-keys', 'answers to nothing are ignored', async () => {
    await using sample = await startHttp();
    const inputResponses = { ...ANN, other: accept({ foo: 'bar' }), __proto: 1, constructor: 7 };
    expect(textOf(await call(sample, { name: 'greet', inputResponses }))).toBe('Hello, Ann!');
    expect(textOf(await call(sample, { name: 'primes', inputResponses }))).toBe('[2,3,5]');
  });

  requirement('rounds:malformed', 'inputResponses that are no object are -32602', async () => {
    await using sample = await startHttp();
    for (const inputResponses of [null, [], 'Ann', 7, true]) {
      const { error } = await call(sample, { name: 'greet', inputResponses });
      expect([inputResponses, error?.code]).toEqual([inputResponses, -32602]);
    }
  });

  requirement('rounds:declined', 'a user who declines or cancels has answered', async () => {
    await using sample = await startHttp();
    for (const action of ['decline', 'cancel']) {
      const inputResponses = { user_name: { action } };
      expect(textOf(await call(sample, { name: 'greet', inputResponses }))).toBe(`(${action})`);
    }
  });

  requirement('rounds:limit', 'a request that asked too often is refused', async () => {
    await using sample = await startHttp({ limits: { maxRounds: 3 } });
    let requestState: string | undefined;
    for (let round = 1; round <= 3; round += 1) {
      const state = requestState === undefined ? {} : { requestState };
      const { result } = await call(sample, { name: 'greet', inputResponses: {}, ...state });
      expect([round, result?.resultType]).toEqual([round, 'input_required']);
      requestState = result?.requestState;
    }
    const { error } = await call(sample, { name: 'greet', inputResponses: {}, requestState });
    expect(error?.code).toBe(-32602);
  });
});

describe('the state', () => {
  async function stateOf(sample: HttpSample, params: object = { name: 'greet' }): Promise<string> {
    return String((await call(sample, params)).result?.requestState);
  }

  async function codeWith(sample: HttpSample, requestState: unknown, params: object = {}): Promise<unknown> {
    const answer = await call(sample, { name: 'greet', inputResponses: ANN, requestState, ...params });
    return answer.error?.code ?? answer.result?.resultType;
  }

  requirement('rounds:state:tampered', 'a state that was changed in any way is -32602', async () => {
    await using sample = await startHttp();
    const state = await stateOf(sample);
    expect(await codeWith(sample, state)).toBe('complete');
    const flip = (index: number): string =>
      state.slice(0, index) + (state[index] === 'A' ? 'B' : 'A') + state.slice(index + 1);
    const changed = [
      `${state}-TAMPERED`,
      `${state}=`,
      `${state}A`,
      ` ${state}`,
      state.slice(0, -1),
      state.slice(0, 20),
      state.slice(3),
      flip(5),
      flip(30),
      flip(state.length - 10),
      'v2.',
      '',
      'e30',
      7,
      null,
      {},
    ];
    for (const requestState of changed)
      expect([requestState, await codeWith(sample, requestState)]).toEqual([requestState, -32602]);
  });

  requirement('rounds:state:expired', 'a state that is too old is -32602', async () => {
    await using sample = await startHttp({ requestStateTtlMs: 60_000 });
    const state = await stateOf(sample);
    sample.clock.advance(59_999);
    expect(await codeWith(sample, state)).toBe('complete');
    sample.clock.advance(1);
    expect(await codeWith(sample, state)).toBe(-32602);
  });

  requirement('rounds:state:principal', 'the state of another caller is -32602', async () => {
    await using sample = await startHttp(
      {},
      { authenticate: ({ headers }) => ({ id: headers.get('x-user') ?? 'nobody' }) },
    );
    const callAs = async (user: string, params: object): Promise<RpcMessage> => {
      const message = modernMessage('tools/call', { name: 'greet', ...params }, { capabilities: FORM });
      return (await sample.http.send(modernRequest(message, { 'X-User': user }))).json;
    };
    const requestState = (await callAs('alice', {})).result?.requestState;
    const retry = { inputResponses: ANN, requestState };
    expect((await callAs('mallory', retry)).error?.code).toBe(-32602);
    expect((await callAs('alice', retry)).result?.resultType).toBe('complete');
  });

  requirement('rounds:state:request', 'the state of another request is -32602', async () => {
    await using sample = await startHttp();
    const state = await stateOf(sample, { name: 'greet', arguments: { greeting: 'Hi' } });
    const fitting = { arguments: { greeting: 'Hi' } };
    expect(await codeWith(sample, state, fitting)).toBe('complete');
    expect(await codeWith(sample, state, { arguments: { greeting: 'Hey' } })).toBe(-32602);
    expect(await codeWith(sample, state, {})).toBe(-32602);
    expect(await codeWith(sample, state, { name: 'two_rounds', ...fitting })).toBe(-32602);
    const prompt = { name: 'greet', arguments: { greeting: 'Hi' }, inputResponses: ANN, requestState: state };
    const other = await sample.http.modern('prompts/get', prompt, { capabilities: FORM });
    expect(other.json.error?.code).toBe(-32602);
  });

  requirement('rounds:state:opaque', 'the state gives nothing away and is never the same', async () => {
    await using sample = await startHttp();
    const inputResponses = { first: accept({ name: 'very-secret-name' }) };
    const answered = { name: 'two_rounds', inputResponses };
    const state = await stateOf(sample, answered);
    const bytes = Buffer.from(state.replace(/^[^.]*\./, ''), 'base64url').toString('latin1');
    for (const text of [state, bytes])
      for (const part of ['very-secret-name', 'first', 'answers', 'expiresAt'])
        expect(text).not.toContain(part);
    expect(await stateOf(sample, answered)).not.toBe(state);
  });

  requirement(
    'rounds:state:keys',
    'a state is good on every machine with the key, and on no other',
    async () => {
      const [old, fresh] = ['o'.repeat(32), 'f'.repeat(32)];
      await using before = await startHttp({ requestStateKeys: [old] });
      await using after = await startHttp({ requestStateKeys: [fresh, old] });
      await using later = await startHttp({ requestStateKeys: [fresh] });
      await using own = await startHttp();
      const state = await stateOf(before);
      expect(await codeWith(after, state)).toBe('complete');
      expect(await codeWith(later, state)).toBe(-32602);
      expect(await codeWith(own, state)).toBe(-32602);
      expect(await codeWith(later, await stateOf(after))).toBe('complete');
      expect(await codeWith(before, await stateOf(own))).toBe(-32602);
    },
  );

  requirement(
    'rounds:state:rotation',
    'keys are replaced while the server runs: the old key is accepted until it is removed',
    async () => {
      const [old, fresh] = ['o'.repeat(32), 'f'.repeat(32)];
      const ring = new KeyRing([old]);
      await using sample = await startHttp({ requestStateKeys: ring });
      await using other = await startHttp({ requestStateKeys: [fresh] });
      const state = await stateOf(sample);
      expect(await codeWith(other, state)).toBe(-32602);
      ring.replace([fresh, old]);
      expect(await codeWith(sample, state)).toBe('complete');
      expect(await codeWith(other, await stateOf(sample))).toBe('complete');
      ring.replace([fresh]);
      expect(await codeWith(sample, state)).toBe(-32602);
    },
  );
});
