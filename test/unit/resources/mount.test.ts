import { describe, expect, test } from 'vitest';
import { createServer, PromptsManager, ResourcesManager } from '../../../src/index.ts';
import type { Middleware } from '../../../src/index.ts';
import { RawClient } from '../../support/raw-client.ts';
import { duplicate } from '../../support/refused.ts';

function managerWith(name: string, ...hosts: string[]): ResourcesManager {
  const resources = new ResourcesManager({ name });
  for (const host of hosts) {
    resources.addResource({ uri: `docs://${host}`, name: host, text: `${host} of ${name}` }).addResource({
      uriTemplate: `docs://${host}/{id}`,
      name: `${host} page`,
      complete: { id: ['one'] },
      contentProvider: ({ variables, context }) => `${context.name}: ${variables.id}`,
    });
  }
  return resources;
}

const names = (resources: ResourcesManager): [string, string][] => [
  ...resources.getAllResources().map(({ name, uri }): [string, string] => [name, uri]),
  ...resources
    .getAllResourceTemplates()
    .map(({ name, uriTemplate }): [string, string] => [name, uriTemplate]),
];

async function textOf(resources: ResourcesManager, uri: string): Promise<unknown> {
  const reply = await resources.readResource({ uri });
  if (reply.kind !== 'value') return reply.kind === 'protocol-error' ? reply.reason : reply.kind;
  return (reply.value.contents[0] as { text?: unknown } | undefined)?.text;
}

describe('a mounted resources manager', () => {
  test('has prefixed names and the same URIs', async () => {
    const outer = managerWith('outer', 'a');
    outer.mount('users', managerWith('users', 'b'));
    outer.addResource({ uri: 'docs://last', name: 'last', text: 'Last' });
    expect(names(outer)).toEqual([
      ['a', 'docs://a'],
      ['users_b', 'docs://b'],
      ['last', 'docs://last'],
      ['a page', 'docs://a/{id}'],
      ['users_b page', 'docs://b/{id}'],
    ]);
    expect(outer.size).toBe(5);
    expect(outer.list({})[1]).toMatchObject({
      key: 'docs://b',
      json: '{"uri":"docs://b","name":"users_b"}',
    });
    expect(await textOf(outer, 'docs://b')).toBe('b of users');
    expect(await textOf(outer, 'docs://b/7')).toBe('docs://b/{id}: 7');
    expect(outer.has('docs://b/7')).toBe(true);
  });

  test('its templates are completed', async () => {
    const outer = new ResourcesManager();
    outer.mount('users', managerWith('users', 'b'));
    const request = { ref: 'docs://b/{id}', value: '', arguments: {} };
    expect(await outer.complete({ ...request, argument: 'id' })).toMatchObject({
      value: { values: ['one'] },
    });
    expect(await outer.complete({ ...request, argument: 'x' })).toMatchObject({ value: { values: [] } });
  });

  test('is live, and goes when it is unmounted', async () => {
    const [top, outer, inner] = [managerWith('top'), managerWith('outer'), managerWith('inner')];
    top.mount('t', outer);
    const unmount = outer.mount('', inner);
    const seen: unknown[] = [];
    top.onChange((change) => seen.push(change));
    top.onUpdate((uri) => seen.push(uri));
    inner.addResource({ uri: 'docs://x', name: 'x', text: 'X' });
    inner.notifyUpdated('docs://x');
    expect(names(top)).toEqual([['t_x', 'docs://x']]);
    expect(outer.removeResource('docs://x')).toBe(false);
    unmount();
    unmount();
    inner.notifyUpdated('docs://x');
    expect(await textOf(top, 'docs://x')).toBe('UNKNOWN_RESOURCE');
    expect(seen).toEqual([
      { added: ['docs://x'], removed: [] },
      'docs://x',
      { added: [], removed: ['docs://x'] },
    ]);
    outer.mount('again', inner);
    expect(names(top)).toEqual([['t_again_x', 'docs://x']]);
  });

  test('a URI that is taken refuses the mount and a later addition, whatever the prefix', () => {
    const [outer, inner] = [managerWith('outer', 'a'), managerWith('inner', 'a')];
    expect(() => outer.mount('i', inner)).toThrow(
      duplicate('Resource', 'docs://a', ['resources manager "outer"', 'resources manager "inner"']),
    );
    const other = managerWith('other');
    outer.mount('o', other);
    expect(() => other.addResource({ uri: 'docs://a', name: 'x', text: '' })).toThrow(
      duplicate('Resource', 'docs://a'),
    );
    expect([other.size, outer.size]).toEqual([0, 2]);
  });

  test('wrong mounts are refused', () => {
    const [outer, inner] = [managerWith('outer'), managerWith('inner')];
    outer.mount('i', inner);
    expect(() => outer.mount('j', inner)).toThrow('Resources manager "inner" is already mounted in "outer".');
    expect(() => inner.mount('o', outer)).toThrow(
      'Resources manager "outer" cannot be mounted in "inner": it already contains "inner".',
    );
    expect(() => outer.mount('x', new PromptsManager() as never)).toThrow(
      "mount takes a prefix and a ResourcesManager: resources.mount('users', userResources).",
    );
  });
});

describe('properties of a resource survive mounting', () => {
  test('both policies must agree; the outer one sees the prefixed name', async () => {
    const inner = new ResourcesManager({ policy: ({ name }) => name !== 'docs://hidden' });
    for (const host of ['open', 'hidden', 'kept'])
      inner.addResource({ uri: `docs://${host}`, name: host, text: host });
    const outer = new ResourcesManager({ policy: ({ tool }) => tool !== 'i_kept' });
    outer.mount('i', inner);
    expect(names(outer)).toEqual([['i_open', 'docs://open']]);
    for (const host of ['hidden', 'kept'])
      expect(await textOf(outer, `docs://${host}`)).toBe('UNKNOWN_RESOURCE');
  });

  test('the middleware of both managers stands around it, that of the outer one outside', async () => {
    const seen: string[] = [];
    const note =
      (who: string): Middleware =>
      ({ subject, next }) => {
        seen.push(`${who}: ${subject.tool}`);
        return next();
      };
    const inner = managerWith('inner', 'a');
    inner.use(note('inner'));
    const outer = new ResourcesManager();
    outer.mount('i', inner);
    outer.use(note('outer'));
    expect(await textOf(outer, 'docs://a')).toBe('a of inner');
    await outer.complete({ ref: 'docs://a/{id}', argument: 'id', value: '', arguments: {} });
    expect(seen).toEqual(['outer: i_a', 'inner: a', 'outer: i_a page', 'inner: a page']);
  });
});

test('clients are told of what mounted managers gain, lose and update', async () => {
  const [prompts, greetings] = [new PromptsManager(), new PromptsManager()];
  const [resources, manuals] = [new ResourcesManager(), managerWith('manuals', 'manual')];
  prompts.mount('say', greetings);
  resources.mount('m', manuals);
  await using server = createServer({ name: 's', version: '1', prompts, resources });
  const client = new RawClient(server);
  await client.initialize();
  await client.request('resources/subscribe', { uri: 'docs://manual' });
  client.received.splice(0);
  greetings.addPrompt({ name: 'hello', template: 'Hello' });
  manuals.addResource({ uri: 'docs://new', name: 'new', text: 'New' });
  manuals.notifyUpdated('docs://manual');
  await client.request('ping');
  const told = client.received.flatMap(({ method }) => method ?? []);
  expect(told.toSorted()).toEqual([
    'notifications/prompts/list_changed',
    'notifications/resources/list_changed',
    'notifications/resources/updated',
  ]);
});
