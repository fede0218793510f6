import { describe, expect, test } from 'vitest';
import { fromOpenAPI } from '../../../../src/openapi.ts';
import type { OpenApiOptions } from '../../../../src/openapi.ts';
import { ResourcesManager, ToolRegistry } from '../../../../src/index.ts';
import { connect } from '../../../support/sdk.ts';
import { importOf, useApi, withOperation } from '../import/support.ts';
import type { Json } from '../import/support.ts';

const api = useApi();

const inPath = (name: string, members: Json = {}): Json => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
  ...members,
});

const at = (path: string, ...parameters: Json[]): Json =>
  withOperation({ operationId: 'get', parameters }, {}, ['get', path]);

interface Sent {
  /** The request line; undefined if nothing was sent. */
  readonly line: string | undefined;
  readonly text: string;
  readonly code: unknown;
}

/** Calls the operation through an official client. */
async function send(document: Json, args: Json, options: OpenApiOptions = {}): Promise<Sent> {
  const registry = new ToolRegistry();
  await fromOpenAPI(document, { ...api.options, ...options, registry });
  const { client } = await connect(registry, { client: 'v2 Client', server: 'v2 Server' });
  const before = api.arrived.length;
  const { content, _meta: meta } = await client.callTool('get', args);
  await client.close();
  const [block] = content as { text: string }[];
  const error = (meta as Json | undefined)?.['toolwright/error'] as Json | undefined;
  return { line: api.arrived[before]?.line, text: block?.text ?? '', code: error?.['code'] };
}

const PROJECT = at('/projects/{id}/branches/{branch}', inPath('id'), inPath('branch'));

test('slashes in values are sent as %2F', async () => {
  const { line } = await send(PROJECT, { id: 'gitlab-org/gitlab', branch: 'fix/#123' });
  expect(line).toBe('GET /projects/gitlab-org%2Fgitlab/branches/fix%2F%23123');
  const { line: scope } = await send(at('/{name}', inPath('name')), { name: '@types/node' });
  expect(scope).toBe('GET /%40types%2Fnode');
  const site = at('/sites/{siteUrl}/sitemaps', inPath('siteUrl'));
  expect((await send(site, { siteUrl: 'https://www.example.com/' })).line).toBe(
    'GET /sites/https%3A%2F%2Fwww.example.com%2F/sitemaps',
  );
});

test('in lists and objects of a path as well', async () => {
  const list = at('/a/{ids}/b', inPath('ids', { schema: { type: 'array', items: { type: 'string' } } }));
  expect((await send(list, { ids: ['a/b', 'c'] })).line).toBe('GET /a/a%2Fb,c/b');
  expect((await send(list, { ids: ['a', '../b'] })).line).toBeUndefined();
});

describe.each([
  ['by x-multi-segment', '/repos/{path}/raw', { 'x-multi-segment': true }],
  ['by {path+}', '/repos/{path+}/raw', {}],
  ['by {+path}', '/repos/{+path}/raw', {}],
])('a parameter that spans segments %s', (_how, path, members) => {
  const document = at(path, inPath('path', members));

  test('is sent as it is', async () => {
    expect((await send(document, { path: 'docs/a b/c.md' })).line).toBe('GET /repos/docs/a%20b/c.md/raw');
    expect((await send(document, { path: 'README.md' })).line).toBe('GET /repos/README.md/raw');
  });

  test.each([
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '.',
    'a/..',
    'a/../b',
    './a',
    'a/%2e%2e/b',
    'a/%2e%2e/100%',
    '%2e%2e/%ff',
    'a/..;x/b',
    'a%2Fb',
    'a\\b',
  ])('never leads elsewhere: %j', async (value) => {
    const { line, text, code } = await send(document, { path: value });
    expect([line, code]).toEqual([undefined, 'INVALID_ARGUMENTS']);
    expect(text).toContain('path: cannot be part of the path: it ');
  });

  test('has no slashes where they are not allowed', async () => {
    const { line, text } = await send(document, { path: 'a/b' }, { allowSlashes: false });
    expect([line, text]).toEqual([
      undefined,
      "Invalid arguments for tool 'get'.\n- path: cannot be part of the path: it has a slash",
    ]);
  });
});

test('a parameter that spans segments is a template of a resource that does', async () => {
  const resources = new ResourcesManager();
  const routeMaps = [{ kind: 'resource-template' as const }];
  await fromOpenAPI(at('/files/{path+}/raw', inPath('path')), { ...api.options, resources, routeMaps });
  const { resources: templates } = await importOf(at('/files/{path+}/raw', inPath('path')), { routeMaps });
  expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual(['openapi://pets/files/{+path}/raw']);
});

test.each([
  '.',
  '..',
  '/',
  '//',
  '../a',
  'a/..',
  'a/../b',
  'a/./b',
  'a/%2e%2e/b',
  'a/%2e%2e/100%',
  'a/..;/b',
  'a/. ./b',
  'a/..?x',
  'a/..\u200B/b',
  'a/\u2025/b',
  'a\\b',
])('dots are refused wherever they stand: %j', async (id) => {
  const { line, code } = await send(PROJECT, { id, branch: 'main' });
  expect([line, code]).toEqual([undefined, 'INVALID_ARGUMENTS']);
});

test('text of the template makes no dots with a value', async () => {
  expect((await send(at('/a/.{x}/b', inPath('x')), { x: '/c' })).line).toBeUndefined();
  expect((await send(at('/a/{x}./b', inPath('x')), { x: 'c/' })).line).toBeUndefined();
  expect((await send(at('/a/.{x}/b', inPath('x')), { x: 'c/d' })).line).toBe('GET /a/.c%2Fd/b');
  const label = at('/a/{x}/b', inPath('x', { style: 'label' }));
  expect((await send(label, { x: '/c' })).line).toBeUndefined();
  expect((await send(label, { x: 'c/d' })).line).toBe('GET /a/.c%2Fd/b');
});

test('a value that is encoded already is refused with what to give', async () => {
  const { line, text } = await send(PROJECT, { id: 'gitlab-org%2Fgitlab', branch: 'main' });
  expect([line, text]).toEqual([
    undefined,
    'Invalid arguments for tool \'get\'.\n- id: cannot be part of the path: it has an encoded slash; write it as "/"',
  ]);
});

test('slashes are rejected with allowSlashes: false, for all or for one argument', async () => {
  const args = { id: 'a/b', branch: 'c/d' };
  const { line, text, code } = await send(PROJECT, args, { allowSlashes: false });
  expect([line, code]).toEqual([undefined, 'INVALID_ARGUMENTS']);
  expect(text).toContain('id: cannot be part of the path: it has a slash');
  const overrides = { get: { arguments: { branch: { allowSlashes: false } } } };
  expect((await send(PROJECT, args, { overrides })).text).toContain('branch: cannot be part of the path');
  expect((await send(PROJECT, { ...args, branch: 'c' }, { overrides })).line).toBe(
    'GET /projects/a%2Fb/branches/c',
  );
  const one = { get: { arguments: { id: { allowSlashes: true } } } };
  expect(
    (await send(PROJECT, { id: 'a/b', branch: 'c' }, { allowSlashes: false, overrides: one })).line,
  ).toBe('GET /projects/a%2Fb/branches/c');
});

test('whatever cannot be sent is an invalid argument, and nothing is sent', async () => {
  const headers = withOperation({
    operationId: 'get',
    parameters: [
      { name: 'x-a', in: 'header', schema: { type: 'string' } },
      { name: 'c', in: 'cookie', style: 'cookie', schema: { type: 'string' } },
    ],
  });
  const header = await send(headers, { 'x-a': 'a\nb' });
  expect([header.line, header.code]).toEqual([undefined, 'INVALID_ARGUMENTS']);
  expect(header.text).toContain('x-a: cannot be sent in the header "x-a"');
});

test('of dynamic tools, it is one of the params', async () => {
  const registry = new ToolRegistry();
  await fromOpenAPI(PROJECT, { ...api.options, mode: 'dynamic', registry });
  const call = async (params: Json): Promise<unknown> => {
    const args = { endpoint: 'get', params };
    const { content, _meta } = await registry.executeTool({ name: 'invoke-api-endpoint', arguments: args });
    return [
      (content[0] as { text: string }).text,
      (_meta?.['toolwright/error'] as Json | undefined)?.['code'],
    ];
  };
  expect(await call({ id: '..', branch: 'main' })).toEqual([
    `Invalid arguments for tool 'invoke-api-endpoint'.\n- params.id: cannot be part of the path: it has a "." or ".." segment`,
    'INVALID_ARGUMENTS',
  ]);
  expect(await call({ id: '7' })).toEqual([
    "Invalid arguments for tool 'invoke-api-endpoint'.\n- params.branch: is required",
    'INVALID_ARGUMENTS',
  ]);
});

test('code that calls an operation gets a DefinitionError', async () => {
  const imported = await importOf(PROJECT, api.options);
  await expect(imported.call('get', { id: '..', branch: 'main' })).rejects.toMatchObject({
    code: 'INVALID_DEFINITION',
    message:
      'Invalid arguments for GET /projects/{id}/branches/{branch}: id: cannot be part of the path: it has a "." or ".." segment',
  });
  imported.close();
});
