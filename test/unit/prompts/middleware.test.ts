import { describe, expect, test } from 'vitest';
import { answer, defineMiddleware, PromptsManager, ResourcesManager, ToolError } from '../../../src/index.ts';
import { timeout } from '../../../src/middleware.ts';
import type { Middleware } from '../../../src/index.ts';
import { refused } from '../../support/refused.ts';

/** Records the calls that it wraps, before and after. */
function note(seen: string[], label: string): Middleware {
  return async ({ subject, next }) => {
    seen.push(`${label} ${subject.kind} ${subject.operation}`);
    const passed = await next();
    seen.push(`${label} over`);
    return passed;
  };
}

const withUser = defineMiddleware(({ next }) => next({ user: 'ada' }));
const refuse: Middleware = () => {
  throw new ToolError('Not today.');
};

describe('middleware around prompts', () => {
  test('of the manager is outermost, for those added before and after; then comes their own', async () => {
    const seen: string[] = [];
    const prompts = new PromptsManager()
      .addPrompt({ name: 'first', template: 'one', middleware: [note(seen, 'own')] })
      .use(note(seen, 'outer'))
      .use(note(seen, 'inner'))
      .addPrompt({ name: 'second', template: 'two' });
    expect(await prompts.getPrompt({ name: 'first' })).toMatchObject({
      value: { messages: [{ role: 'user', content: { type: 'text', text: 'one' } }] },
    });
    expect(seen.splice(0)).toEqual([
      'outer prompt first',
      'inner prompt first',
      'own prompt first',
      'own over',
      'inner over',
      'outer over',
    ]);
    await prompts.getPrompt({ name: 'second' });
    expect(seen).toEqual(['outer prompt second', 'inner prompt second', 'inner over', 'outer over']);
    expect(prompts.getAllPrompts().map(({ name }) => name)).toEqual(['first', 'second']);
  });

  test('adds to the context of handlers and completers', async () => {
    const prompts = new PromptsManager().use(withUser).addPrompt({
      name: 'p',
      arguments: [{ name: 'a' }],
      complete: { a: (_, { context }) => [context.user] },
      handler: ({ context }) => `for ${context.user}`,
    });
    expect(await prompts.getPrompt({ name: 'p' })).toMatchObject({
      value: { messages: [{ content: { text: 'for ada' } }] },
    });
    expect(await prompts.complete({ ref: 'p', argument: 'a', value: '', arguments: {} })).toEqual({
      kind: 'value',
      value: { values: ['ada'], total: 1, hasMore: false },
    });
  });

  test('may answer by itself, change what was given, or refuse', async () => {
    const loud: Middleware = async ({ next }) => {
      const passed = await next();
      return passed.withValue(String(passed.value).toUpperCase());
    };
    const prompts = new PromptsManager()
      .addPrompt({ name: 'own', template: 'x', middleware: [() => answer('from the middleware')] })
      .addPrompt({ name: 'loud', template: 'hello', middleware: [loud] })
      .addPrompt({ name: 'refused', template: 'x', middleware: [refuse] });
    const texts = ['own', 'loud'].map(async (name) => {
      const reply = await prompts.getPrompt({ name });
      return reply.kind === 'value' ? reply.value.messages[0]?.content : reply;
    });
    expect(await Promise.all(texts)).toEqual([
      { type: 'text', text: 'from the middleware' },
      { type: 'text', text: 'HELLO' },
    ]);
    expect(await prompts.getPrompt({ name: 'refused' })).toMatchObject({
      kind: 'protocol-error',
      message: 'Not today.',
    });
  });

  test('runs behind guard and validation', async () => {
    const seen: string[] = [];
    const prompts = new PromptsManager({ policy: ({ tags }) => !tags.includes('hidden') })
      .use(note(seen, 'm'))
      .addPrompt({ name: 'hidden', tags: ['hidden'], template: 'x' })
      .addPrompt({ name: 'needs', arguments: [{ name: 'a', required: true }], template: '{{a}}' });
    expect(await prompts.getPrompt({ name: 'hidden' })).toMatchObject({ reason: 'UNKNOWN_PROMPT' });
    expect(await prompts.getPrompt({ name: 'needs' })).toMatchObject({ reason: 'INVALID_ARGUMENTS' });
    expect(seen).toEqual([]);
  });

  test('values that are not middleware are rejected', () => {
    expect(() => new PromptsManager().use('log' as never)).toThrow(refused('middleware'));
    expect(() =>
      new PromptsManager().addPrompt({ name: 'p', template: '', middleware: ['log'] as never }),
    ).toThrow(refused('middleware'));
  });

  test('that is built in works as it does around tools', async () => {
    const prompts = new PromptsManager()
      .use(timeout({ ms: 1 }))
      .addPrompt({ name: 'slow', handler: () => new Promise<string>(() => {}) });
    expect(await prompts.getPrompt({ name: 'slow' })).toMatchObject({ reason: 'TIMED_OUT' });
  });
});

describe('middleware around resources', () => {
  test('stands around fixed content, providers, templates and completers', async () => {
    const seen: string[] = [];
    const resources = new ResourcesManager()
      .addResource({ uri: 'a://fixed', name: 'fixed', text: 'fixed' })
      .addResource({ uri: 'a://bytes', name: 'bytes', blob: new Uint8Array([1]) })
      .addResource({
        uriTemplate: 'a://t/{x}',
        name: 't',
        complete: { x: ['one'] },
        contentProvider: ({ variables }) => variables.x,
      })
      .use(note(seen, 'm'));
    for (const uri of ['a://fixed', 'a://bytes', 'a://t/7'])
      expect((await resources.readResource({ uri })).kind).toBe('value');
    await resources.complete({ ref: 'a://t/{x}', argument: 'x', value: '', arguments: {} });
    expect(seen.filter((line) => line !== 'm over')).toEqual([
      'm resource a://fixed',
      'm resource a://bytes',
      'm resource a://t/{x}',
      'm resource a://t/{x}/complete',
    ]);
  });

  test('may give something else than fixed content, also nothing', async () => {
    const resources = new ResourcesManager()
      .addResource({
        uri: 'a://b',
        name: 'b',
        text: 'secret',
        middleware: [async ({ next }) => (await next()).withValue('***')],
      })
      .addResource({ uri: 'a://none', name: 'none', text: 'x', middleware: [() => answer(null)] });
    expect(await resources.readResource({ uri: 'a://b' })).toEqual({
      kind: 'value',
      value: { contents: [{ uri: 'a://b', mimeType: 'text/plain', text: '***' }] },
    });
    expect(await resources.readResource({ uri: 'a://none' })).toMatchObject({ reason: 'UNKNOWN_RESOURCE' });
  });

  test('adds to the context of providers', async () => {
    const resources = new ResourcesManager()
      .use(withUser)
      .addResource({ uri: 'a://b', name: 'b', contentProvider: ({ context }) => context.user });
    expect(await resources.readResource({ uri: 'a://b' })).toMatchObject({
      value: { contents: [{ text: 'ada' }] },
    });
  });
});
