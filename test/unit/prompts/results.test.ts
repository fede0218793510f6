import { describe, expect, test } from 'vitest';
import { PromptsManager } from '../../../src/index.ts';
import { ErrorHandler } from '../../../src/collaborators.ts';
import type { McpPromptMessage } from '../../../src/index.ts';

const silent = { debug() {}, info() {}, warning() {}, error() {} };
const errorHandler = new ErrorHandler({ logger: silent, createReference: () => 'ref-1' });

const get = (returned: unknown) =>
  new PromptsManager({ logger: silent, errorHandler })
    .addPrompt({ name: 'p', handler: () => returned as never })
    .getPrompt({ name: 'p' });

const user = (text: string): McpPromptMessage => ({ role: 'user', content: { type: 'text', text } });
const answer: McpPromptMessage = { role: 'assistant', content: { type: 'text', text: 'Fine.' } };

describe('return values of a handler', () => {
  test('a text is one message of the user', async () => {
    expect(await get('Hello')).toEqual({ kind: 'value', value: { messages: [user('Hello')] } });
  });

  test('one message, a list of messages and a whole result are sent as they are', async () => {
    expect(await get(answer)).toEqual({ kind: 'value', value: { messages: [answer] } });
    expect(await get([user('How are you?'), answer])).toEqual({
      kind: 'value',
      value: { messages: [user('How are you?'), answer] },
    });
    const whole = { description: 'A talk', messages: [answer], _meta: { 'example.com/x': 1 } };
    expect(await get(whole)).toEqual({ kind: 'value', value: whole });
    expect(await get(Promise.resolve([]))).toEqual({ kind: 'value', value: { messages: [] } });
  });

  test.each([
    ['an image', { type: 'image', data: 'AAAA', mimeType: 'image/png' }],
    ['a sound', { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }],
    ['a resource', { type: 'resource', resource: { uri: 'a://b', text: 'x', mimeType: 'text/plain' } }],
    ['a resource of bytes', { type: 'resource', resource: { uri: 'a://b', blob: 'AAAA' } }],
    ['a link', { type: 'resource_link', uri: 'a://b', name: 'b', annotations: { priority: 1 } }],
  ])('%s may be the content of a message', async (_, content) => {
    expect(await get({ role: 'user', content })).toEqual({
      kind: 'value',
      value: { messages: [{ role: 'user', content }] },
    });
  });

  test('the description is that of the prompt, unless the handler gives one', async () => {
    const prompts = new PromptsManager()
      .addPrompt({ name: 'a', description: 'Of the prompt', template: 'x' })
      .addPrompt({
        name: 'b',
        description: 'Of the prompt',
        handler: () => ({ description: 'Of the handler', messages: [] }),
      });
    expect(await prompts.getPrompt({ name: 'a' })).toMatchObject({ value: { description: 'Of the prompt' } });
    expect(await prompts.getPrompt({ name: 'b' })).toEqual({
      kind: 'value',
      value: { description: 'Of the handler', messages: [] },
    });
  });

  test('is copied: whatever happens to it later, the reply stays', async () => {
    const message = user('before');
    const reply = await get([message]);
    message.content = { type: 'text', text: 'after' };
    expect(reply).toEqual({ kind: 'value', value: { messages: [user('before')] } });
  });
});

const cycle: Record<string, unknown> = {};
cycle['messages'] = [cycle];
let deep: unknown = 'x';
for (let depth = 0; depth < 2000; depth += 1) deep = [deep];

const NO_MESSAGES =
  'a prompt returns a string, messages with a role and one content block each, or { messages }';

describe('invalid results are never sent', () => {
  test.each([
    ['nothing', undefined, 'undefined has no JSON form'],
    ['null', null, NO_MESSAGES],
    ['a number', 5, NO_MESSAGES],
    ['a BigInt', 5n, 'it contains a BigInt; convert it to a string or a number'],
    ['a cycle', cycle, 'it contains itself (a cycle)'],
    ['something very deep', deep, 'it is nested deeper than 512 levels'],
    ['a function', () => 'x', 'a function has no JSON form'],
    [
      'a getter that throws',
      {
        get messages(): never {
          throw new Error('secret');
        },
      },
      'one of its members throws when it is read',
    ],
    ['texts in a list', ['a', 'b'], NO_MESSAGES],
    ['a message with an unknown role', { role: 'system', content: user('x').content }, NO_MESSAGES],
    ['a message with a text for content', { role: 'user', content: 'x' }, NO_MESSAGES],
    ['a message with a list for content', { role: 'user', content: [user('x').content] }, NO_MESSAGES],
    ['a message with more than that', { ...user('x'), id: 1 }, NO_MESSAGES],
    ['an unknown block', { role: 'user', content: { type: 'video' } }, NO_MESSAGES],
    [
      'an image that is no base64',
      { role: 'user', content: { type: 'image', data: '%', mimeType: 'image/png' } },
      NO_MESSAGES,
    ],
    ['a good and a bad message', [user('x'), {}], NO_MESSAGES],
    ['a description that is no text', { description: 5, messages: [] }, NO_MESSAGES],
    ['metadata that is no object', { messages: [], _meta: 5 }, NO_MESSAGES],
    ['messages that are no list', { messages: {} }, NO_MESSAGES],
    ['a result with a bad message', { messages: [user('x'), {}] }, NO_MESSAGES],
    ['a result with more than that', { messages: [], isError: true }, NO_MESSAGES],
  ])('%s', async (_, returned, reason) => {
    expect(await get(returned)).toEqual({
      kind: 'protocol-error',
      code: -32603,
      reason: 'INVALID_OUTPUT',
      message: `Prompt 'p' returned a value that cannot be sent: ${reason}.`,
      data: { code: 'INVALID_OUTPUT', reference: 'ref-1' },
    });
  });

  test('a value that throws whatever is done with it is answered as well', async () => {
    const hostile = new Proxy(
      {},
      {
        get() {
          throw new Error('secret');
        },
        ownKeys() {
          throw new Error('secret');
        },
      },
    );
    const reply = await get(hostile);
    expect(reply).toMatchObject({ kind: 'protocol-error', code: -32603 });
    expect(JSON.stringify(reply)).not.toContain('secret');
  });
});
