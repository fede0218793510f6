import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { DefinitionError, definePrompt, DuplicateNameError, PromptsManager } from '../../../src/index.ts';
import { recordLog } from '../../support/log-recorder.ts';
import { duplicate, refused } from '../../support/refused.ts';

const greet = definePrompt({
  name: 'greet',
  title: 'Greeting',
  description: 'Says hello',
  arguments: [{ name: 'who', title: 'Who', description: 'Whom to greet', required: true }, { name: 'tone' }],
  icons: [{ src: 'https://example.com/wave.png' }],
  _meta: { 'example.com/order': 1 },
  template: 'Say hello to {{who}}.',
});

/** Adds a definition that the types reject. */
const add = (definition: unknown) => () => new PromptsManager().addPrompt(definition as never);

describe('listing', () => {
  test('an entry has everything the definition says, in the order of the protocol', () => {
    const [item] = new PromptsManager({ prompts: [greet] }).list({});
    expect(item?.key).toBe('greet');
    expect(item?.json).toBe(
      '{"name":"greet","title":"Greeting","description":"Says hello","arguments":[{"name":"who","title":"Who","description":"Whom to greet","required":true},{"name":"tone","required":false}],"icons":[{"src":"https://example.com/wave.png"}],"_meta":{"example.com/order":1}}',
    );
  });

  test('a prompt without arguments lists none', () => {
    const prompts = new PromptsManager().addPrompt({ name: 'plain', template: 'Hello' });
    expect(prompts.list({}).map(({ json }) => json)).toEqual(['{"name":"plain"}']);
  });

  test('the members of a schema are listed as arguments', () => {
    const prompts = new PromptsManager().addPrompt({
      name: 'report',
      inputSchema: z.object({
        year: z.number().int().meta({ title: 'Year', description: 'The year of the report' }),
        draft: z.boolean().default(false),
        note: z.string().optional(),
      }),
      handler: () => 'x',
    });
    expect(prompts.getAllPrompts()[0]?.arguments).toEqual([
      { name: 'year', title: 'Year', description: 'The year of the report', required: true },
      { name: 'draft', required: false },
      { name: 'note', required: false },
    ]);
  });

  test('properties in references and allOf are listed as well', () => {
    const prompts = new PromptsManager().addPrompt({
      name: 'referred',
      inputSchema: {
        type: 'object',
        allOf: [{ $ref: '#/$defs/base' }],
        properties: { own: { type: 'string' } },
        $defs: {
          base: { type: 'object', properties: { id: { $ref: '#/$defs/id' } }, required: ['id'] },
          id: { type: 'string', description: 'An id' },
        },
      },
      handler: () => 'x',
    });
    expect(prompts.getAllPrompts()[0]?.arguments).toEqual([
      { name: 'own', required: false },
      { name: 'id', description: 'An id', required: true },
    ]);
  });

  test('prompts are listed in the order of their registration', () => {
    const prompts = new PromptsManager();
    for (const name of ['b', 'c', 'a']) prompts.addPrompt({ name, template: 'x' });
    expect(prompts.getAllPrompts().map(({ name }) => name)).toEqual(['b', 'c', 'a']);
    expect(prompts.size).toBe(3);
  });

  test('changing a definition later changes neither the list nor the prompt', async () => {
    const given = {
      name: 'fixed',
      template: 'before',
      tags: ['a'],
      complete: {},
      arguments: [{ name: 'x' }],
    };
    const prompts = new PromptsManager().addPrompt(given);
    given.template = 'after';
    given.arguments.push({ name: 'y' });
    expect(prompts.list({})[0]?.json).toBe('{"name":"fixed","arguments":[{"name":"x","required":false}]}');
    expect(await prompts.getPrompt({ name: 'fixed' })).toMatchObject({
      value: { messages: [{ content: { text: 'before' } }] },
    });
  });

  test('a list cannot be changed by its reader', () => {
    const [listed] = new PromptsManager({ prompts: [greet] }).getAllPrompts();
    expect(Object.isFrozen(listed)).toBe(true);
    expect(Object.isFrozen(listed?.arguments?.[0])).toBe(true);
  });
});

describe('refused definitions', () => {
  test.each([
    ['no object', 5, 'A prompt definition must be an object: { name, template }.'],
    ['a list', [greet], 'A prompt definition must be an object: { name, template }.'],
    ['a name with a space', { name: 'a b', template: '' }, refused('name')],
    ['no name', { template: '' }, refused('name')],
    ['neither handler nor template', { name: 'p' }, 'Prompt "p" needs exactly one of handler and template.'],
    [
      'both handler and template',
      { name: 'p', template: '', handler: () => '' },
      'Prompt "p" needs exactly one of handler and template.',
    ],
    [
      'arguments described twice',
      { name: 'p', template: '', arguments: [], inputSchema: z.object({}) },
      'Prompt "p": use either inputSchema or arguments, not both.',
    ],
    [
      'a schema that is no object',
      { name: 'p', template: '', inputSchema: z.string() },
      'Prompt "p": the input schema must describe an object, because the arguments of a tool are an object; it accepts string. Wrap it, for example: z.object({ value: … }).',
    ],
    ['a schema that is none', { name: 'p', template: '', inputSchema: 5 }, refused('inputSchema')],
    ['a handler that is no function', { name: 'p', handler: 'x' }, refused('handler')],
    ['a template that is no string', { name: 'p', template: 5 }, refused('template')],
    ['arguments that are no list', { name: 'p', template: '', arguments: { a: 1 } }, refused('arguments')],
    [
      'an argument without a name',
      { name: 'p', template: '', arguments: [{}] },
      refused('arguments', { path: [0, 'name'] }),
    ],
    [
      'an argument with a misspelt member',
      { name: 'p', template: '', arguments: [{ name: 'a', require: true }] },
      refused('arguments', { path: [0, 'require'], reason: 'unknown-option' }),
    ],
    [
      'two arguments of one name',
      { name: 'p', template: '', arguments: [{ name: 'a' }, { name: 'a' }] },
      'Prompt "p": duplicate argument "a".',
    ],
    [
      'a misspelt member',
      { name: 'p', template: '', scope: ['admin'] },
      'Unknown option "scope" of prompt "p". Did you mean "scopes"? Options: name, timeoutMs, title, description, icons, _meta, tags, scopes, middleware, inputSchema, arguments, complete, handler, template.',
    ],
    ['scopes that are no list', { name: 'p', template: '', scopes: 'admin' }, refused('scopes')],
    ['icons without a src', { name: 'p', template: '', icons: [{}] }, refused('icons')],
    ['metadata that JSON cannot carry', { name: 'p', template: '', _meta: { n: 1n } }, refused('_meta')],
    ['a deadline that is none', { name: 'p', template: '', timeoutMs: -1 }, refused('timeoutMs')],
    [
      'a completer for something that is no argument',
      { name: 'p', template: '', arguments: [{ name: 'tone' }], complete: { tome: [] } },
      'Prompt "p": unknown argument "tome" in complete. Did you mean "tone"?',
    ],
    [
      'a completer that is neither list nor function',
      { name: 'p', template: '', arguments: [{ name: 'tone' }], complete: { tone: 'a' } },
      refused('complete', { path: ['tone'] }),
    ],
  ])('%s', (_, definition, message) => {
    expect(add(definition)).toThrow(message);
  });

  test('are errors for the developer, and leave nothing behind', () => {
    const prompts = new PromptsManager();
    expect(() => prompts.addPrompt({ name: 'p', template: '{{x}}' })).toThrow(DefinitionError);
    expect(prompts.size).toBe(0);
  });

  test('an unknown option is rejected', () => {
    expect(() => new PromptsManager({ polices: {} } as never)).toThrow(
      refused('polices', { reason: 'unknown-option' }),
    );
  });
});

describe('adding and removing', () => {
  test('a taken name is refused, and the first prompt stays', async () => {
    const prompts = new PromptsManager().addPrompt({ name: 'a', template: 'first' });
    const again = (): unknown => prompts.addPrompt({ name: 'a', template: 'second' });
    expect(again).toThrow(DuplicateNameError);
    expect(again).toThrow(duplicate('Prompt', 'a'));
    expect(await prompts.getPrompt({ name: 'a' })).toMatchObject({
      value: { messages: [{ content: { text: 'first' } }] },
    });
  });

  test('a removed prompt is unknown, and its name is free again', async () => {
    const prompts = new PromptsManager().addPrompt({ name: 'a', template: 'first' });
    expect(prompts.removePrompt('a')).toBe(true);
    expect(prompts.removePrompt('a')).toBe(false);
    expect(prompts.list({})).toEqual([]);
    expect(await prompts.getPrompt({ name: 'a' })).toMatchObject({ reason: 'UNKNOWN_PROMPT' });
    prompts.addPrompt({ name: 'a', template: 'second' });
    expect(prompts.size).toBe(1);
  });

  test('listeners are notified of every change, after the list is updated', () => {
    const prompts = new PromptsManager();
    const heard: number[] = [];
    const stop = prompts.onChange(() => heard.push(prompts.list({}).length));
    prompts.addPrompt({ name: 'a', template: '' }).addPrompt({ name: 'b', template: '' });
    prompts.removePrompt('a');
    prompts.removePrompt('a');
    stop();
    prompts.removePrompt('b');
    expect(heard).toEqual([1, 2, 1]);
  });

  test('a listener that throws is logged, and the others are told', () => {
    const { logger, entries } = recordLog();
    const prompts = new PromptsManager({ logger });
    let calls = 0;
    prompts.onChange(() => {
      throw new Error('broken');
    });
    prompts.onChange(() => {
      calls += 1;
    });
    prompts.addPrompt({ name: 'a', template: '' });
    expect(calls).toBe(1);
    expect(entries).toEqual([
      {
        level: 'error',
        message: 'a change listener failed',
        fields: { error: { name: 'Error', message: 'broken' } },
      },
    ]);
  });
});
