import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { McpCallToolResult } from '../../src/index.ts';
import { ConnectedApi } from './support/connected-api.ts';
import type { Answer, RecordedRequest } from './support/recording-server.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const PNG = Buffer.from('iVBORw0KGgo=', 'base64');

const ANSWERS: Readonly<Record<string, Answer>> = {
  json: { headers: JSON_TYPE, body: '{"id": 7, "name": "é😀", "big": 12345678901234567890}' },
  vendor: { headers: { 'content-type': 'application/vnd.api+json; charset=utf-8' }, body: '[1,null]' },
  scalar: { headers: JSON_TYPE, body: '"only a text"' },
  text: {
    headers: { 'content-type': 'text/plain; charset=iso-8859-1' },
    body: Buffer.from('caf\u00E9', 'latin1'),
  },
  html: { headers: { 'content-type': 'text/html' }, body: '<p>Hello</p>' },
  xml: { headers: { 'content-type': 'application/xml' }, body: '<a>1</a>' },
  csv: { headers: { 'content-type': 'text/csv' }, body: 'a,b\n1,2\n' },
  image: { headers: { 'content-type': 'image/png' }, body: PNG },
  audio: { headers: { 'content-type': 'audio/mpeg' }, body: PNG },
  pdf: { headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.7' },
  nothing: { status: 204 },
  created: { status: 201, headers: { location: '/pets/7' } },
  missing: {
    status: 404,
    headers: { 'content-type': 'application/problem+json' },
    body: '{"type":"about:blank","title":"No such pet","status":404,"detail":"There is no pet 7."}',
  },
  invalid: { status: 422, headers: JSON_TYPE, body: '{"errors":[{"field":"name","message":"is too long"}]}' },
  busy: { status: 429, headers: { 'retry-after': '120', 'content-type': 'text/plain' }, body: 'Slow down' },
  broken: { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>Oops</h1>' },
  moved: { status: 302, headers: { location: 'https://elsewhere.invalid/x' } },
};

interface ResultCase {
  readonly operation: keyof typeof ANSWERS;
  readonly result: object;
}

const text = (shown: string): object => ({ type: 'text', text: shown });

const CASES: readonly ResultCase[] = [
  {
    operation: 'json',
    result: { content: [text('{"id":7,"name":"é😀","big":12345678901234567890}')] },
  },
  { operation: 'vendor', result: { content: [text('[1,null]')] } },
  { operation: 'scalar', result: { content: [text('"only a text"')] } },
  { operation: 'text', result: { content: [text('café')] } },
  { operation: 'html', result: { content: [text('<p>Hello</p>')] } },
  { operation: 'xml', result: { content: [text('<a>1</a>')] } },
  { operation: 'csv', result: { content: [text('a,b\n1,2\n')] } },
  {
    operation: 'image',
    result: {
      content: [
        { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
        text('image/png of 8 bytes.'),
      ],
    },
  },
  {
    operation: 'audio',
    result: {
      content: [
        { type: 'audio', data: 'iVBORw0KGgo=', mimeType: 'audio/mpeg' },
        text('audio/mpeg of 8 bytes.'),
      ],
    },
  },
  {
    operation: 'pdf',
    result: {
      content: [
        {
          type: 'resource',
          resource: { uri: 'openapi:pdf', mimeType: 'application/pdf', blob: 'JVBERi0xLjc=' },
        },
        text('PDF of 8 bytes.'),
      ],
    },
  },
  { operation: 'nothing', result: { content: [text('Done: 204 without content.')] } },
  { operation: 'created', result: { content: [text('Done: 201 without content. Location: /pets/7.')] } },
  {
    operation: 'missing',
    result: {
      isError: true,
      content: [
        text(
          'GET /missing answered 404 Not Found: No such pet: There is no pet 7.\nThe id or another part of the address may be wrong, or the credentials may not see it.',
        ),
      ],
    },
  },
  {
    operation: 'invalid',
    result: {
      isError: true,
      content: [
        text(
          'GET /invalid answered 422 Unprocessable Entity: {"errors":[{"field":"name","message":"is too long"}]}\nCheck the arguments against what the API says.',
        ),
      ],
    },
  },
  {
    operation: 'busy',
    result: {
      isError: true,
      content: [
        text(
          'GET /busy answered 429 Too Many Requests: Slow down\nToo many requests. Try again in 2 minutes.',
        ),
      ],
    },
  },
  {
    operation: 'broken',
    result: {
      isError: true,
      content: [
        text('GET /broken answered 500 Internal Server Error: Oops\nThe API has trouble. Try again later.'),
      ],
    },
  },
  {
    operation: 'moved',
    result: {
      isError: true,
      content: [
        text(
          'GET /moved answered 302 Found: it has moved to https://elsewhere.invalid/x. Only redirects of GET and HEAD within the origin of the API are followed, none with "redirects: false"; correct the base URL of the API.',
        ),
      ],
    },
  },
];

const QUERY = { in: 'query', schema: { type: 'string' } };
const COUNT = { in: 'query', schema: { type: 'integer' } };

function get(operationId: string, parameters: readonly object[] = []): object {
  return { get: { operationId, parameters, responses: { 200: { description: 'OK' } } } };
}

/** 20,000 pets: 3 MB of JSON. */
const PETS = Array.from({ length: 20_000 }, (_, id) => ({
  id,
  name: `Pet number ${id}`,
  notes: 'x'.repeat(100),
}));
/** Items of paginated lists. */
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

function answerPage({ target }: RecordedRequest, origin: string): Answer {
  const { pathname, searchParams } = new URL(target, origin);
  const page = Number(searchParams.get('page') ?? '1');
  const offset = Number(searchParams.get('offset') ?? '0');
  const limit = Number(searchParams.get('limit') ?? '3');
  switch (pathname) {
    case '/by-link': {
      const next = page * 3 < NAMES.length ? `<${origin}/by-link?page=${page + 1}>; rel="next", ` : '';
      const headers = { ...JSON_TYPE, link: `${next}<${origin}/by-link?page=1>; rel="first"` };
      return { headers, body: JSON.stringify(NAMES.slice(page * 3 - 3, page * 3)) };
    }
    case '/by-cursor': {
      const start = Number(Buffer.from(searchParams.get('cursor') ?? '', 'base64').toString() || '0');
      const after = Buffer.from(String(start + 3)).toString('base64');
      const next = start + 3 < NAMES.length ? after : null;
      return {
        headers: JSON_TYPE,
        body: JSON.stringify({ data: NAMES.slice(start, start + 3), next_cursor: next }),
      };
    }
    case '/by-offset': {
      const items = NAMES.slice(offset, offset + limit);
      return { headers: JSON_TYPE, body: JSON.stringify({ items, total: NAMES.length, offset, limit }) };
    }
    default:
      return { status: 404 };
  }
}

describe('answers of an API', () => {
  let connected: ConnectedApi;
  beforeAll(async () => {
    connected = await ConnectedApi.open((origin) => ({
      document: {
        openapi: '3.1.1',
        info: { title: 'Answers', version: '1' },
        servers: [{ url: origin }],
        paths: {
          ...Object.fromEntries(Object.keys(ANSWERS).map((name) => [`/${name}`, get(name)])),
          '/pets': get('pets'),
          '/long-pages': get('long_pages', [{ name: 'page', ...COUNT }]),
          '/by-link': get('by_link', [{ name: 'page', ...COUNT }]),
          '/by-cursor': get('by_cursor', [{ name: 'cursor', ...QUERY }]),
          '/by-offset': get('by_offset', [
            { name: 'offset', ...COUNT },
            { name: 'limit', ...COUNT },
          ]),
        },
      },
    }));
    connected.api.answer = (request) => {
      if (request.target === '/pets') return { headers: JSON_TYPE, body: JSON.stringify(PETS) };
      if (request.target === '/long-pages') {
        const headers = { ...JSON_TYPE, link: '</long-pages?page=2>; rel="next"' };
        return { headers, body: JSON.stringify(PETS.slice(0, 600)) };
      }
      return ANSWERS[request.target.slice(1)] ?? answerPage(request, connected.api.origin);
    };
  });
  afterAll(() => connected.close());

  test.for(CASES)('$operation', async ({ operation, result }) => {
    const { result: given } = await connected.call(operation);
    const { _meta, ...rest } = given as McpCallToolResult & { resultType?: string };
    expect(rest).toMatchObject(result);
    expect(rest.content.length).toBe((result as McpCallToolResult).content.length);
    expect(rest.isError ?? false).toBe((result as McpCallToolResult).isError ?? false);
  });

  test('429 says to programs how long to wait', async () => {
    const { result } = await connected.call('busy');
    expect(JSON.stringify(result._meta)).toContain('"retryAfterMs":120000');
  });

  test('a list of 3 MB is returned in parts without another request', async () => {
    expect(JSON.stringify(PETS).length).toBeGreaterThan(2_800_000);
    const pets: unknown[] = [];
    const first = await connected.call('pets');
    expect(first.requests.length).toBe(1);
    let result = first.result;
    let calls = 1;
    for (;;) {
      const [block] = result.content;
      const shown = block?.type === 'text' ? block.text : '';
      expect(shown.length).toBeLessThanOrEqual(50_000);
      pets.push(...(JSON.parse(shown) as unknown[]));
      const token = result._meta?.['toolwright/continue'];
      if (token === undefined) break;
      const next = await connected.call('pets', { continue_from: token });
      expect(next.requests).toEqual([]);
      result = next.result;
      calls += 1;
    }
    expect(pets).toEqual(PETS);
    expect(calls).toBeLessThan(80);
  });

  test('a page that is cut: the next page is offered with its last part', async () => {
    const pets: unknown[] = [];
    const offered: unknown[] = [];
    for (let token: unknown = ''; token !== undefined;) {
      const args = token === '' ? {} : { continue_from: token };
      const { result }: { result: McpCallToolResult } = await connected.call('long_pages', args);
      const [block] = result.content;
      pets.push(...(JSON.parse(block?.type === 'text' ? block.text : '') as unknown[]));
      offered.push(result._meta?.['toolwright/next']);
      token = result._meta?.['toolwright/continue'];
    }
    expect(pets).toEqual(PETS.slice(0, 600));
    expect(offered).toEqual([{ page: 2 }, { page: 2 }]);
  });

  test.for([
    ['by_link', ['page=2', 'page=3']],
    ['by_cursor', ['cursor=Mw%3D%3D', 'cursor=Ng%3D%3D']],
    ['by_offset', ['offset=3', 'offset=6']],
  ] as const)('%s: every page is offered, and the last is the last', async ([operation, queries]) => {
    const names: unknown[] = [];
    const asked: string[] = [];
    let args: object | undefined = {};
    while (args !== undefined) {
      const { result, requests }: Awaited<ReturnType<ConnectedApi['call']>> = await connected.call(
        operation,
        args,
      );
      asked.push(requests[0]?.target.split('?')[1] ?? '');
      const [block] = result.content;
      const shown = JSON.parse(block?.type === 'text' ? block.text : '') as unknown;
      const { data, items } = shown as { data?: unknown[]; items?: unknown[] };
      names.push(...(data ?? items ?? (shown as unknown[])));
      args = (result._meta as Record<string, object> | undefined)?.['toolwright/next'];
    }
    expect(names).toEqual(NAMES);
    expect(asked).toEqual(['', ...queries]);
  });
});
