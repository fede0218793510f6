import { describe, expect, test } from 'vitest';
import {
  DefinitionError,
  defineResource,
  defineResourceTemplate,
  DuplicateNameError,
  ResourcesManager,
} from '../../../src/index.ts';
import { recordLog } from '../../support/log-recorder.ts';
import { duplicate, refused } from '../../support/refused.ts';

const manual = defineResource({
  uri: 'docs://manual',
  name: 'manual',
  title: 'The manual',
  description: 'How it works',
  mimeType: 'text/markdown',
  size: 5,
  annotations: { audience: ['user'], priority: 0.5 },
  icons: [{ src: 'https://example.com/book.png' }],
  _meta: { 'example.com/order': 1 },
  text: '# Hi',
});

const note = defineResourceTemplate({
  uriTemplate: 'notes://{user}/{id}',
  name: 'note',
  title: 'A note',
  description: 'One note',
  mimeType: 'text/plain',
  annotations: { priority: 1 },
  icons: [{ src: 'https://example.com/note.png' }],
  _meta: { 'example.com/order': 2 },
  contentProvider: ({ variables }) => `${variables.user}: ${variables.id}`,
});

/** Adds a definition that the types reject. */
const add = (definition: unknown) => () => new ResourcesManager().addResource(definition as never);
const resource = (members: object): object => ({ uri: 'a://b', name: 'b', ...members });

describe('listing', () => {
  test('an entry has everything the definition says, in the order of the protocol', () => {
    const resources = new ResourcesManager({ resources: [manual, note] });
    expect(resources.list({}).map(({ key, json }) => [key, json])).toEqual([
      [
        'docs://manual',
        '{"uri":"docs://manual","name":"manual","title":"The manual","description":"How it works","mimeType":"text/markdown","size":5,"annotations":{"audience":["user"],"priority":0.5},"icons":[{"src":"https://example.com/book.png"}],"_meta":{"example.com/order":1}}',
      ],
    ]);
    expect(resources.listTemplates({}).map(({ key, json }) => [key, json])).toEqual([
      [
        'notes://{user}/{id}',
        '{"uriTemplate":"notes://{user}/{id}","name":"note","title":"A note","description":"One note","mimeType":"text/plain","annotations":{"priority":1},"icons":[{"src":"https://example.com/note.png"}],"_meta":{"example.com/order":2}}',
      ],
    ]);
    expect(resources.size).toBe(2);
    expect(resources.getAllResources()).toEqual([JSON.parse(resources.list({})[0]?.json ?? '') as unknown]);
    expect(resources.getAllResourceTemplates()).toEqual([
      JSON.parse(resources.listTemplates({})[0]?.json ?? '') as unknown,
    ]);
    expect(Object.isFrozen(resources.getAllResources()[0])).toBe(true);
    expect(Object.isFrozen(resources.getAllResourceTemplates()[0]?.annotations)).toBe(true);
  });

  test('changing a definition or its bytes later changes nothing', async () => {
    const blob = new Uint8Array([1, 2, 3]);
    const given = { uri: 'a://b', name: 'b', blob, tags: ['x'] };
    const resources = new ResourcesManager().addResource(given);
    blob.fill(0);
    given.name = 'other';
    expect(resources.list({})[0]?.json).toBe('{"uri":"a://b","name":"b"}');
    expect(await resources.readResource({ uri: 'a://b' })).toMatchObject({
      value: { contents: [{ blob: 'AQID' }] },
    });
  });
});

describe('refused definitions', () => {
  const SOURCE = 'Resource "a://b" needs exactly one of text, blob and contentProvider.';
  const URI = (received: string): Error => refused('uri', { received: JSON.stringify(received) });
  const TEMPLATE = (received: string): Error =>
    refused('uriTemplate', { received: JSON.stringify(received) });
  const provider = { name: 'n', contentProvider: () => 'x' };
  test.each([
    ['no object', 5, 'A resource definition must be an object: { uri, name, text }.'],
    ['null', null, 'A resource definition must be an object: { uri, name, text }.'],
    [
      'neither uri nor template',
      { name: 'n' },
      'A resource definition needs either a uri or a uriTemplate, as a string.',
    ],
    [
      'both uri and template',
      { uri: 'a://b', uriTemplate: 'a://{b}', ...provider },
      'A resource definition needs either a uri or a uriTemplate, as a string.',
    ],
    [
      'a uri that is no string',
      { uri: 5, ...provider },
      'A resource definition needs either a uri or a uriTemplate, as a string.',
    ],
    ['no name', { uri: 'a://b', text: '' }, refused('name')],
    ['an empty name', { uri: 'a://b', name: ' ', text: '' }, refused('name')],
    ['a relative uri', { uri: 'docs/manual', ...provider }, URI('docs/manual')],
    ['an empty uri', { uri: '', ...provider }, URI('')],
    ['a uri with a space', { uri: ' a://b', ...provider }, URI(' a://b')],
    [
      'a uri with braces',
      { uri: 'a://{b}', ...provider },
      'Resource "a://{b}": uri must not contain braces. For a template, use uriTemplate.',
    ],
    ['a template without a scheme', { uriTemplate: '{+all}', ...provider }, TEMPLATE('{+all}')],
    ['a template of any scheme', { uriTemplate: '{s}://b', ...provider }, TEMPLATE('{s}://b')],
    ['a template with a space', { uriTemplate: 'a://{b} c', ...provider }, TEMPLATE('a://{b} c')],
    [
      'a template that cannot be read back',
      { uriTemplate: 'a://b{&q}', ...provider },
      'Resource "a://b{&q}": the expression {&q} is not supported. Use {name} for one path segment',
    ],
    ['a template without a provider', { uriTemplate: 'a://{b}', name: 'n' }, refused('contentProvider')],
    [
      'a template with a text',
      { uriTemplate: 'a://{b}', name: 'n', text: '' },
      'Unknown option "text" of resource "a://{b}".',
    ],
    ['no content', resource({}), SOURCE],
    ['two contents', resource({ text: '', blob: '' }), SOURCE],
    ['a text and a provider', resource({ text: '', contentProvider: () => '' }), SOURCE],
    ['a text that is no string', resource({ text: 5 }), refused('text')],
    ['a blob that is neither', resource({ blob: [1] }), refused('blob')],
    [
      'a blob that is no base64',
      resource({ blob: '%' }),
      'Resource "a://b": the blob must be base64 or a Uint8Array.',
    ],
    ['a provider that is no function', resource({ contentProvider: 'x' }), refused('contentProvider')],
    ['a type that is no string', resource({ text: '', mimeType: 5 }), refused('mimeType')],
    ['a size that is none', resource({ text: '', size: -1 }), refused('size')],
    [
      'annotations that clients refuse',
      resource({ text: '', annotations: { priority: 2 } }),
      refused('annotations'),
    ],
    [
      'a misspelt member',
      resource({ text: '', scope: ['admin'] }),
      'Unknown option "scope" of resource "a://b". Did you mean "scopes"?',
    ],
    [
      'a cache hint without a time',
      resource({ text: '', cacheHint: { scope: 'public' } }),
      refused('cacheHint'),
    ],
    [
      'a cache hint with an unknown scope',
      resource({ text: '', cacheHint: { ttlMs: 1, scope: 'all' } }),
      refused('cacheHint'),
    ],
    [
      'a cache hint with a misspelt member',
      resource({ text: '', cacheHint: { ttlMs: 1, cacheScope: 'public' } }),
      refused('cacheHint'),
    ],
    [
      'public caching of what only some may read',
      resource({ text: '', scopes: ['admin'], cacheHint: { ttlMs: 1, scope: 'public' } }),
      'Resource "a://b": cacheHint cannot be public, because the resource requires scopes.',
    ],
    [
      'a completer for something that is not a variable',
      { uriTemplate: 'a://{user}', complete: { usr: [] }, ...provider },
      'Resource "a://{user}": unknown argument "usr" in complete. Did you mean "user"?',
    ],
    ['a deadline that is none', resource({ text: '', timeoutMs: 0 }), refused('timeoutMs')],
  ])('%s', (_, definition, message) => {
    expect(add(definition)).toThrow(message);
    expect(add(definition)).toThrow(DefinitionError);
  });

  test('content that is too large to be sent is rejected at registration', () => {
    const resources = new ResourcesManager({ maxResultBytes: 100 });
    const large = { uri: 'a://b', name: 'b', blob: new Uint8Array(200) };
    expect(() => resources.addResource(large)).toThrow(
      'Resource "a://b": the content has more than 100 bytes; the limit is 100.',
    );
    expect(resources.size).toBe(0);
  });

  test('an unknown option is rejected', () => {
    expect(() => new ResourcesManager({ prompts: [] } as never)).toThrow(
      refused('prompts', { reason: 'unknown-option' }),
    );
  });
});

describe('adding and removing', () => {
  test.each([
    [manual, 'docs://manual'],
    [note, 'notes://{user}/{id}'],
  ])('a taken URI is refused', (definition, uri) => {
    const resources = new ResourcesManager({ resources: [manual, note] });
    const again = (): unknown => resources.addResource(definition);
    expect(again).toThrow(DuplicateNameError);
    expect(again).toThrow(duplicate('Resource', uri));
    expect(resources.size).toBe(2);
  });

  test('two resources may share a name', () => {
    const resources = new ResourcesManager({ resources: [manual] });
    resources.addResource({ uri: 'docs://other', name: 'manual', text: '' });
    expect(resources.size).toBe(2);
  });

  test('a removed resource is unknown, and its URI is free again', async () => {
    const resources = new ResourcesManager({ resources: [manual, note] });
    expect(resources.removeResource('notes://ada/7')).toBe(false);
    expect(resources.removeResource('docs://manual')).toBe(true);
    expect(resources.removeResource('notes://{user}/{id}')).toBe(true);
    expect(resources.size).toBe(0);
    expect(resources.list({})).toEqual([]);
    expect(resources.listTemplates({})).toEqual([]);
    expect(await resources.readResource({ uri: 'docs://manual' })).toMatchObject({
      reason: 'UNKNOWN_RESOURCE',
    });
    expect(await resources.readResource({ uri: 'notes://ada/7' })).toMatchObject({
      reason: 'UNKNOWN_RESOURCE',
    });
    resources.addResource(manual);
    expect(resources.has('docs://manual', {})).toBe(true);
  });

  test('listeners hear of every change, once the new lists are there', () => {
    const resources = new ResourcesManager();
    const heard: number[][] = [];
    const stop = resources.onChange(() =>
      heard.push([resources.list({}).length, resources.listTemplates({}).length]),
    );
    resources.addResource(manual).addResource(note);
    resources.removeResource('docs://manual');
    resources.removeResource('docs://manual');
    stop();
    resources.addResource(manual);
    expect(heard).toEqual([
      [1, 0],
      [1, 1],
      [0, 1],
    ]);
  });
});

describe('updates', () => {
  test('reach their subscribers only', () => {
    const resources = new ResourcesManager({ resources: [manual] });
    const heard: string[] = [];
    let changes = 0;
    resources.onChange(() => {
      changes += 1;
    });
    const stop = resources.onUpdate((uri) => heard.push(uri));
    resources.notifyUpdated('docs://manual');
    resources.notifyUpdated('notes://ada/7');
    stop();
    resources.notifyUpdated('docs://manual');
    expect(heard).toEqual(['docs://manual', 'notes://ada/7']);
    expect(changes).toBe(0);
  });

  test('a listener that fails, now or later, is logged, and the others are told', async () => {
    const { logger, entries } = recordLog();
    const resources = new ResourcesManager({ logger });
    const heard: string[] = [];
    resources.onUpdate(() => {
      throw new Error('now');
    });
    resources.onUpdate((): unknown => Promise.reject(new Error('later')));
    resources.onUpdate((uri) => heard.push(uri));
    resources.notifyUpdated('a://b');
    await Promise.resolve();
    expect(heard).toEqual(['a://b']);
    expect(entries.map(({ fields }) => fields)).toEqual([
      { error: { name: 'Error', message: 'now' } },
      { error: { name: 'Error', message: 'later' } },
    ]);
  });
});
