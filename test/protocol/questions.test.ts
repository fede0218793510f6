import { describe, expect } from 'vitest';
import { requirement } from './requirement.ts';
import { LEGACY_VERSIONS, openSession } from './support/legacy-http.ts';
import type { LegacyHttp } from './support/legacy-http.ts';
import type { RawStream } from './support/raw-http.ts';
import { startStdio } from './support/raw-stdio.ts';
import { accept, legacyMessage, notification, textOf } from './support/rpc.ts';
import type { RpcMessage } from './support/rpc.ts';
import { startHttp } from './support/sample.ts';

const EVERYTHING = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** The next message of a stream, past events without one. */
async function next(stream: RawStream): Promise<RpcMessage> {
  for (;;) {
    const { data } = await stream.events.next();
    if (data !== undefined && data !== '') return JSON.parse(data) as RpcMessage;
  }
}

async function answer(session: LegacyHttp, { id }: RpcMessage, result: object): Promise<void> {
  const { status, text } = await session.post({ jsonrpc: '2.0', id, result });
  expect([status, text]).toEqual([202, '']);
}

const FORM = {
  message: 'Who are you?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};

describe('asking a client with a handshake', () => {
  requirement(
    ['questions:elicitation', 'questions:modes'],
    'a question goes over the stream of the call, and its answer lets the call go on',
    async () => {
      await using sample = await startHttp();
      for (const version of ['2025-11-25', '2025-06-18']) {
        const session = await openSession(sample.http, { version, capabilities: { elicitation: {} } });
        const listening = await session.listen();
        const stream = await session.open(legacyMessage('tools/call', { name: 'greet' }, 'call'));
        const question = await next(stream);
        expect([version, question]).toEqual([
          version,
          {
            jsonrpc: '2.0',
            id: question.id,
            method: 'elicitation/create',
            params: version === '2025-11-25' ? { mode: 'form', ...FORM } : FORM,
          },
        ]);
        expect(['string', 'number']).toContain(typeof question.id);
        await answer(session, question, accept({ name: 'Ann' }));
        expect(await next(stream)).toEqual({
          jsonrpc: '2.0',
          id: 'call',
          result: { content: [{ type: 'text', text: 'Hello, Ann!' }] },
        });
        await stream.events.ended;
        listening.close();
        const rest = (await listening.events.rest()).filter(({ data }) => data !== '');
        expect(rest).toEqual([]);
      }
    },
  );

  requirement('questions:modes', 'a page to visit has an id of its own, in 2025-11-25', async () => {
    await using sample = startStdio();
    await sample.stdio.initialize('2025-11-25', EVERYTHING);
    const question = await sample.stdio.ask(legacyMessage('tools/call', { name: 'visit' }, 'call'));
    expect(question).toMatchObject({
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Sign in', url: 'https://example.com/in' },
    });
    expect(question.params?.['elicitationId']).toMatch(/./);
    const done = await sample.stdio.ask({ jsonrpc: '2.0', id: question.id, result: { action: 'decline' } });
    expect(textOf(done)).toBe('decline');
  });

  requirement(
    'questions:sampling-and-roots',
    'the model and folders are asked for, in every revision that has them',
    async () => {
      for (const version of LEGACY_VERSIONS) {
        await using sample = startStdio();
        const { stdio } = sample;
        await stdio.initialize(version, EVERYTHING);
        stdio.write(legacyMessage('tools/call', { name: 'ask_client' }, 'call'));
        const [model, folders] = [await stdio.next(), await stdio.next()];
        expect(model).toEqual({
          jsonrpc: '2.0',
          id: model.id,
          method: 'sampling/createMessage',
          params: {
            messages: [{ role: 'user', content: { type: 'text', text: 'The capital of France?' } }],
            maxTokens: 10,
          },
        });
        expect(folders).toEqual({ jsonrpc: '2.0', id: folders.id, method: 'roots/list', params: {} });
        expect(model.id).not.toBe(folders.id);
        stdio.write({ jsonrpc: '2.0', id: folders.id, result: { roots: [{ uri: 'file:///home' }] } });
        const said = { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'm' };
        stdio.write({ jsonrpc: '2.0', id: model.id, result: said });
        expect(JSON.parse(textOf(await stdio.next()))).toEqual([
          { type: 'text', text: 'Paris' },
          [{ uri: 'file:///home' }],
        ]);
      }
    },
  );

  requirement('questions:undeclared', 'a client is not asked for what it did not declare', async () => {
    await using sample = startStdio();
    for (const version of LEGACY_VERSIONS) {
      await sample.stdio.initialize(version, { roots: {} });
      const refused = await sample.stdio.ask(legacyMessage('tools/call', { name: 'greet' }, version));
      expect([refused.id, refused.result?.isError]).toEqual([version, true]);
      expect(textOf(refused)).toContain('elicitation');
      const prompt = await sample.stdio.ask(legacyMessage('prompts/get', { name: 'ask_first' }));
      expect(typeof prompt.error?.code).toBe('number');
    }
    // Nor for features that its revision does not have, whatever it declares.
    for (const version of ['2025-03-26', '2024-11-05']) {
      await sample.stdio.initialize(version, EVERYTHING);
      const refused = await sample.stdio.ask(legacyMessage('tools/call', { name: 'greet' }, version));
      expect([refused.id, refused.result?.isError]).toEqual([version, true]);
    }
  });

  requirement('questions:refused', 'an error, or an answer that is none, ends the question', async () => {
    await using sample = startStdio();
    const { stdio } = sample;
    await stdio.initialize('2025-11-25', EVERYTHING);
    const question = await stdio.ask(legacyMessage('tools/call', { name: 'greet' }, 1));
    // A response without a request changes nothing.
    stdio.write({ jsonrpc: '2.0', id: 'no-such-question', result: accept({ name: 'Zoe' }) });
    const error = { code: -1, message: 'The user rejected it.' };
    const refused = await stdio.ask({ jsonrpc: '2.0', id: question.id, error });
    expect([refused.id, refused.result?.isError]).toEqual([1, true]);
    expect(textOf(refused)).toContain('The user rejected it.');

    let asked = await stdio.ask(legacyMessage('tools/call', { name: 'greet' }, 2));
    let times = 1;
    while (asked.method === 'elicitation/create') {
      asked = await stdio.ask({ jsonrpc: '2.0', id: asked.id, result: { nonsense: true } });
      if (asked.method !== undefined) times += 1;
    }
    expect([asked.id, asked.result?.isError, times]).toEqual([2, true, 3]);
  });

  requirement('questions:timeout', 'a question that nobody answers is given up', async () => {
    await using sample = startStdio({ limits: { inputTimeoutMs: 30_000 } });
    const { stdio, clock } = sample;
    await stdio.initialize('2025-06-18', EVERYTHING);
    const question = await stdio.ask(legacyMessage('tools/call', { name: 'greet' }, 'call'));
    clock.advance(30_000);
    expect(await stdio.next()).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: question.id },
    });
    const given = await stdio.next();
    expect([given.id, given.result?.isError]).toEqual(['call', true]);

    const second = await stdio.ask(legacyMessage('tools/call', { name: 'greet' }, 'again'));
    stdio.write(notification('notifications/cancelled', { requestId: 'again' }));
    expect(await stdio.next()).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: second.id },
    });
    expect((await stdio.ask(legacyMessage('ping', undefined, 'fence'))).id).toBe('fence');
  });
});

describe('subscribing to resources', () => {
  requirement('subscribe:updates', 'updates are told from subscribing to unsubscribing', async () => {
    await using sample = startStdio();
    const { stdio, server } = sample;
    const uri = 'docs://manual';
    for (const version of LEGACY_VERSIONS) {
      await stdio.initialize(version);
      server.resources?.notifyUpdated(uri);
      expect((await stdio.ask(legacyMessage('resources/subscribe', { uri }))).result).toEqual({});
      server.resources?.notifyUpdated('docs://logo');
      server.resources?.notifyUpdated(uri);
      expect(await stdio.next()).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { uri },
      });
      expect((await stdio.ask(legacyMessage('resources/unsubscribe', { uri }))).result).toEqual({});
      server.resources?.notifyUpdated(uri);
      expect((await stdio.ask(legacyMessage('ping', undefined, 'fence'))).id).toBe('fence');
    }
    await stdio.ask(legacyMessage('resources/subscribe', { uri: 'notes://7' }));
    server.resources?.notifyUpdated('notes://7');
    expect((await stdio.next()).params).toEqual({ uri: 'notes://7' });
  });

  requirement('subscribe:unknown', 'a subscription to nothing is -32002', async () => {
    await using sample = await startHttp();
    const session = await openSession(sample.http);
    const { error } = await session.request('resources/subscribe', { uri: 'docs://none' });
    expect(error).toEqual({
      code: -32002,
      message: 'Resource not found: docs://none',
      data: { uri: 'docs://none' },
    });
    expect((await session.request('resources/subscribe', {})).error?.code).toBe(-32602);
    expect((await session.request('resources/unsubscribe', { uri: 'docs://none' })).result).toEqual({});
  });
});
