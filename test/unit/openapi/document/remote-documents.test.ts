import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { DefinitionError } from '../../../../src/errors/errors.ts';
import { loadDocument } from '../../../../src/openapi/document/load-document.ts';
import type { DocumentSource, LoadOptions } from '../../../../src/openapi/document/load-document.ts';
import { OutboundClient } from '../../../../src/outbound/outbound-client.ts';

const PETS = { openapi: '3.0.3', info: { title: 'Pets', version: '1' }, paths: {} };

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Origin {
  readonly origin: string;
  readonly seen: {
    readonly path: string;
    readonly authorization: string | undefined;
    readonly key: unknown;
  }[];
}

/** A server that records its requests. */
async function serve(listener: RequestListener): Promise<Origin> {
  const seen: Origin['seen'][number][] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const { url = '', headers } = request;
    seen.push({ path: url, authorization: headers.authorization, key: headers['x-key'] });
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

/** Files by path; a value with `->` is a redirect. */
function files(content: Readonly<Record<string, string | object>>): RequestListener {
  return ({ url = '' }, response) => {
    const file = Object.hasOwn(content, url) ? content[url] : undefined;
    if (file === undefined) response.writeHead(404).end('none');
    else if (typeof file === 'string' && file.startsWith('->'))
      response.writeHead(302, { location: file.slice(2) }).end();
    else response.end(typeof file === 'string' ? file : JSON.stringify(file));
  };
}

function newClient(): OutboundClient {
  const client = new OutboundClient({ allowPrivate: ['127.0.0.1'], random: () => 0 });
  closers.push(() => client.close());
  return client;
}

async function mistakeOf(source: DocumentSource, options: LoadOptions = {}): Promise<string> {
  try {
    await loadDocument(source, { client: newClient(), ...options });
  } catch (error) {
    expect(error).toBeInstanceOf(DefinitionError);
    return (error as Error).message;
  }
  throw new Error('nothing went wrong');
}

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-openapi-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('a document at a URL', () => {
  test('is fetched with its headers, and is called by its address without fragment', async () => {
    const { origin, seen } = await serve(files({ '/api.json?v=2': PETS }));
    const loaded = await loadDocument(`${origin}/api.json?v=2#/paths`, {
      client: newClient(),
      headers: { 'X-Key': 'k' },
    });
    expect(loaded).toMatchObject({ uri: `${origin}/api.json?v=2`, version: '3.0', root: PETS });
    expect(seen).toEqual([{ path: '/api.json?v=2', authorization: undefined, key: 'k' }]);
  });

  test('is fetched with the name and the password of the URL, which are shown nowhere', async () => {
    const { origin, seen } = await serve(files({ '/api.yaml': 'openapi: 3.0.0\npaths: {}\n' }));
    const url = new URL(`${origin}/api.yaml`);
    url.username = 'me';
    url.password = 's3cret/';
    const { uri } = await loadDocument(url, { client: newClient() });
    expect(uri).toBe(`${origin}/api.yaml`);
    expect(seen).toMatchObject([{ authorization: `Basic ${Buffer.from('me:s3cret/').toString('base64')}` }]);
    url.pathname = '/none';
    expect(await mistakeOf(url)).toBe(`${origin}/none responded with status 404.`);
    expect(await mistakeOf(url.href, { headers: { Authorization: 'Bearer t' } })).not.toContain('s3cret');
    expect(seen.at(-1)).toMatchObject({ authorization: 'Bearer t' });
  });

  test('is followed through redirects, and its headers go no further than its origin', async () => {
    const second = await serve(files({ '/b': '->/c', '/c': PETS }));
    const first = await serve(files({ '/a': '->/b', '/b': `->${second.origin}/b` }));
    const { uri } = await loadDocument(`${first.origin}/a`, {
      client: newClient(),
      headers: { authorization: 'Bearer t', 'x-key': 'k' },
    });
    expect(uri).toBe(`${second.origin}/c`);
    expect(first.seen.map(({ path, key }) => [path, key])).toEqual([
      ['/a', 'k'],
      ['/b', 'k'],
    ]);
    expect(second.seen).toEqual([
      { path: '/b', authorization: undefined, key: undefined },
      { path: '/c', authorization: undefined, key: undefined },
    ]);
  });

  test('gets no headers after a redirect to another origin and back', async () => {
    const content: Record<string, string | object> = { '/end': PETS };
    const first = await serve(files(content));
    const second = await serve(files({ '/over': `->${first.origin}/end` }));
    content['/start'] = `->${second.origin}/over`;
    await loadDocument(`${first.origin}/start`, { client: newClient(), headers: { 'x-key': 'k' } });
    expect(first.seen.map(({ path, key }) => [path, key])).toEqual([
      ['/start', 'k'],
      ['/end', undefined],
    ]);
  });

  test('is not followed to where the client may not go', async () => {
    const { origin } = await serve(
      files({ '/a': '->http://169.254.169.254/latest', '/b': '->http://[::1]:1/x' }),
    );
    expect(await mistakeOf(`${origin}/a`)).toMatch(
      /^http:\/\/169\.254\.169\.254\/latest could not be fetched\. 169\.254\.169\.254 is not a public address/,
    );
    expect(await mistakeOf(`${origin}/b`)).toMatch(/is not a public address/);
  });

  test('is not followed for ever, nor to nowhere, nor to a file', async () => {
    const { origin, seen } = await serve((request, response) => {
      const location = { '/file': 'file:///etc/passwd', '/bad': 'http://[', '/loop': '/loop' }[
        request.url ?? ''
      ];
      response.writeHead(307, location === undefined ? {} : { location }).end();
    });
    expect(await mistakeOf(`${origin}/loop`)).toBe(`${origin}/loop redirected more than 5 times.`);
    expect(seen.length).toBe(6);
    expect(await mistakeOf(`${origin}/file`)).toBe(
      `${origin}/file redirects to file:, which is not followed.`,
    );
    const nowhere = 'responded with status 307, but without a valid location.';
    expect(await mistakeOf(`${origin}/bad`)).toBe(`${origin}/bad ${nowhere}`);
    expect(await mistakeOf(`${origin}/none`)).toBe(`${origin}/none ${nowhere}`);
  });

  test('that is not there, not allowed, too large or a page is refused with a reason', async () => {
    const { origin } = await serve((request, response) => {
      if (request.url === '/secret') response.writeHead(401).end();
      else if (request.url === '/page')
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><html></html>');
      else if (request.url === '/large') response.end(JSON.stringify({ ...PETS, x: 'x'.repeat(1000) }));
      else if (request.url === '/bad') response.end('a: b: c');
      else response.writeHead(404).end();
    });
    expect(await mistakeOf(`${origin}/none?token=hidden`)).toBe(`${origin}/none responded with status 404.`);
    expect(await mistakeOf(`${origin}/secret`)).toBe(
      `${origin}/secret responded with status 401. It may require authentication headers.`,
    );
    expect(await mistakeOf(`${origin}/page`)).toMatch(/\/page is a page of HTML or XML, not JSON or YAML\./);
    expect(await mistakeOf(`${origin}/bad`)).toMatch(/\/bad, line 1, column 5: bad indentation/);
    expect(await mistakeOf(`${origin}/large`, { limits: { maxDocumentBytes: 500 } })).toBe(
      `${origin}/large has more than 500 bytes (maxDocumentBytes, maxTotalBytes).`,
    );
  });

  test('is read whatever type it says it is of, and however large the client thinks answers may be', async () => {
    const { origin } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(JSON.stringify({ ...PETS, 'x-long': 'x'.repeat(2_000_000) }));
    });
    expect((await loadDocument(`${origin}/api`, { client: newClient() })).version).toBe('3.0');
  });

  test('cannot be fetched by nobody, or to a private address that is not allowed', async () => {
    const { origin, seen } = await serve(files({ '/api.json': PETS }));
    await expect(loadDocument(`${origin}/api.json`)).rejects.toThrow(
      `${origin}/api.json cannot be fetched without an outbound client.`,
    );
    const client = new OutboundClient();
    closers.push(() => client.close());
    expect(await mistakeOf(`${origin}/api.json`, { client })).toMatch(/127\.0\.0\.1 is not a public address/);
    expect(seen).toEqual([]);
  });

  test('is aborted with the signal of the caller', async () => {
    const controller = new AbortController();
    const { origin } = await serve(() => controller.abort());
    expect(await mistakeOf(`${origin}/api.json`, { signal: controller.signal })).toBe(
      `${origin}/api.json could not be fetched. The request was cancelled.`,
    );
  });
});

test('an overlay gets the headers of a document at its origin, and of no other', async () => {
  const content = { '/api.json': PETS, '/o.json': { overlay: '1.0.0', actions: [] } };
  const [own, other] = [await serve(files(content)), await serve(files(content))];
  await loadDocument(`${own.origin}/api.json`, {
    client: newClient(),
    headers: { 'x-key': 'k' },
    overlays: [
      `${own.origin}/o.json`,
      `${other.origin}/o.json`,
      `${other.origin.replace('//', '//a:b@')}/o.json`,
    ],
  });
  expect(own.seen.map(({ path, key }) => [path, key])).toEqual([
    ['/api.json', 'k'],
    ['/o.json', 'k'],
  ]);
  expect(other.seen).toEqual([
    { path: '/o.json', authorization: undefined, key: undefined },
    { path: '/o.json', authorization: 'Basic YTpi', key: undefined },
  ]);
});

const refTo = (...refs: readonly string[]): object => ({
  ...PETS,
  components: { schemas: Object.fromEntries(refs.map(($ref, at) => [`S${at}`, { $ref }])) },
});

describe('references of a document at a URL', () => {
  test('lead to its own origin, with its headers, and from file to file', async () => {
    const { origin, seen } = await serve(
      files({
        '/v1/api.json': refTo(
          'schemas/pet.yaml#/Pet',
          './schemas/pet.yaml#/Other',
          '#/components/schemas/S0',
        ),
        '/v1/schemas/pet.yaml': 'Pet: {properties: {tag: {$ref: ../tag.json}}}\nOther: {}\n',
        '/v1/tag.json': { type: 'string', not: { $ref: 'api.json' } },
      }),
    );
    const { files: read, missing } = await loadDocument(`${origin}/v1/api.json`, {
      client: newClient(),
      headers: { 'x-key': 'k' },
    });
    expect([...read.keys()]).toEqual([
      `${origin}/v1/api.json`,
      `${origin}/v1/schemas/pet.yaml`,
      `${origin}/v1/tag.json`,
    ]);
    expect(missing).toEqual(new Map());
    expect(seen.map(({ path, key }) => `${path} ${String(key)}`)).toEqual([
      '/v1/api.json k',
      '/v1/schemas/pet.yaml k',
      '/v1/tag.json k',
    ]);
  });

  test('lead nowhere else: not to other origins, not to files, not through redirects', async () => {
    const canary = await serve(files({ '/x.json': {} }));
    const secret = pathToFileURL(join(tempFolder(), 'secret.json')).href;
    const { origin } = await serve(
      files({
        '/api.json': refTo(`${canary.origin}/x.json`, secret, '/away.json', '/gone.json', 'urn:example:pet'),
        '/away.json': `->${canary.origin}/x.json`,
      }),
    );
    const { files: read, missing } = await loadDocument(`${origin}/api.json`, {
      client: newClient(),
      references: { roots: [tmpdir()] },
    });
    expect([...read.keys()]).toEqual([`${origin}/api.json`]);
    expect(Object.fromEntries(missing)).toEqual({
      [`${canary.origin}/x.json`]: `${canary.origin}/x.json was not read: ${canary.origin} is not among the allowed origins. Add it to references.origins to allow it.`,
      [secret]: expect.stringMatching(
        /secret\.json was not read: http:.*\/api\.json may not refer to files\.$/,
      ),
      [`${origin}/away.json`]: `${origin}/away.json redirects to ${canary.origin}, which is not allowed.`,
      [`${origin}/gone.json`]: `${origin}/gone.json responded with status 404.`,
      'urn:example:pet':
        'urn:example:pet was not read: references may use file:, http: and https: URLs, not urn:',
    });
    expect(canary.seen).toEqual([]);
  });

  test('lead to other origins that are allowed, without the headers of the document', async () => {
    const other = await serve(files({ '/x.json': { type: 'string' } }));
    const { origin } = await serve(
      files({ '/api.json': refTo(`${other.origin}/x.json`, 'y.json'), '/y.json': {} }),
    );
    const options = { client: newClient(), headers: { 'x-key': 'k' } };
    const { files: read } = await loadDocument(`${origin}/api.json`, {
      ...options,
      references: { origins: [origin, `${other.origin}/`] },
    });
    expect(read.size).toBe(3);
    expect(other.seen).toEqual([{ path: '/x.json', authorization: undefined, key: undefined }]);
    // The given limits replace the defaults.
    const only = await loadDocument(`${origin}/api.json`, {
      ...options,
      references: { origins: [other.origin] },
    });
    expect([...only.missing.keys()]).toEqual([`${origin}/y.json`]);
  });

  test('of a document that is a file need their origin to be allowed, and somebody to fetch', async () => {
    const { origin, seen } = await serve(files({ '/x.json': { type: 'string' } }));
    const file = join(tempFolder(), 'api.json');
    writeFileSync(file, JSON.stringify(refTo(`${origin}/x.json`)));
    const client = newClient();
    const headers = { 'x-key': 'k' };
    expect([...(await loadDocument(file, { client, headers })).missing.keys()]).toEqual([`${origin}/x.json`]);
    expect(seen).toEqual([]);
    const references = { origins: [origin] };
    expect([...(await loadDocument(file, { references })).missing.values()]).toEqual([
      `${origin}/x.json cannot be fetched without an outbound client.`,
    ]);
    expect((await loadDocument(file, { client, headers, references })).files.size).toBe(2);
    expect(seen).toEqual([{ path: '/x.json', authorization: undefined, key: undefined }]);
  });

  test('with a password in them keep it to themselves', async () => {
    const canary = await serve(files({}));
    const { origin } = await serve(
      files({ '/api.json': refTo(canary.origin.replace('//', '//me:s3cret@')) }),
    );
    const { missing } = await loadDocument(`${origin}/api.json`, { client: newClient() });
    expect([...missing.values()].join(' ')).toContain('was not read');
    expect([...missing.values()].join(' ')).not.toContain('s3cret');
    expect(canary.seen).toEqual([]);
  });

  test('to what a file calls itself need no request', async () => {
    const { origin, seen } = await serve((_request, response) => {
      const document = {
        openapi: '3.2.0',
        $self: '/official/api.json',
        components: {
          schemas: {
            A: { $ref: '/official/api.json#/components/schemas/B' },
            B: { $id: '/schemas/b', type: 'string' },
            C: { $ref: '/schemas/b' },
            D: { $schema: '/dialect', $id: '/schemas/d', example: { $ref: '/example' } },
          },
        },
      };
      response.end(JSON.stringify(document));
    });
    const { files: read, missing, root } = await loadDocument(`${origin}/api.json`, { client: newClient() });
    expect([...read.entries()]).toEqual([
      [`${origin}/api.json`, root],
      [`${origin}/official/api.json`, root],
    ]);
    expect(missing.size).toBe(0);
    expect(seen.map(({ path }) => path)).toEqual(['/api.json']);
  });

  test('are aborted together with the document', async () => {
    const controller = new AbortController();
    const { origin } = await serve((request, response) => {
      if (request.url === '/api.json') response.end(JSON.stringify(refTo('x.json')));
      else controller.abort();
    });
    expect(await mistakeOf(`${origin}/api.json`, { signal: controller.signal })).toBe(
      `Loading ${origin}/api.json was cancelled.`,
    );
  });
});
