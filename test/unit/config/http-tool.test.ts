import { describe, expect, test } from 'vitest';
import { askConfig, call, useScratch } from './support.ts';

const { load, upstream } = useScratch();

describe('arguments', () => {
  test('are held against patterns as they are registered, also without Unicode mode', async () => {
    const { origin, seen } = await upstream();
    const configured = await load(
      'c.yaml',
      askConfig(origin, '/', String.raw`{ handle: { pattern: '^\@\w+$' }, letter: { pattern: '^\p{L}$' } }`),
    );
    expect(await call(configured, 'ask', { handle: '@ada' })).not.toHaveProperty('isError');
    expect(await call(configured, 'ask', { letter: '\u{10400}' })).not.toHaveProperty('isError');
    expect(seen).toHaveLength(2);
    for (const args of [{ handle: 'ada' }, { letter: '1' }])
      expect(await call(configured, 'ask', args)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('must match') as string }],
      });
    expect(seen).toHaveLength(2);
  });

  test('are as long as they have characters', async () => {
    const { origin, seen } = await upstream();
    const configured = await load('c.yaml', askConfig(origin, '/', '{ t: { minLength: 2, maxLength: 3 } }'));
    const smile = '\u{1F600}';
    for (const t of [smile.repeat(2), smile.repeat(3), 'ab'])
      expect(await call(configured, 'ask', { t })).not.toHaveProperty('isError');
    expect(seen).toHaveLength(3);
    for (const t of [smile, smile.repeat(4), 'a', 'abcd'])
      expect(await call(configured, 'ask', { t })).toMatchObject({ isError: true });
    expect(seen).toHaveLength(3);
  });

  test('may be called like what every object has', async () => {
    const { origin, seen } = await upstream();
    const configured = await load(
      'c.yaml',
      askConfig(origin, '/', '{ constructor: {}, toString: { in: header }, valueOf: { default: x } }'),
    );
    await call(configured, 'ask');
    await call(configured, 'ask', { constructor: 'c', toString: 't', valueOf: 'v' });
    expect(seen.map(({ url, headers }) => [url, headers['tostring']])).toEqual([
      ['/?valueOf=x', undefined],
      ['/?constructor=c&valueOf=v', 't'],
    ]);
  });
});

describe('integers beyond 2^53', () => {
  test('are refused: they were rounded on their way', async () => {
    const { origin, seen } = await upstream();
    const args = '{ id: { type: integer }, more: { type: object }, size: { type: number } }';
    const configured = await load('c.yaml', askConfig(origin, '/', args));
    for (const given of [{ id: 9007199254740992 }, { more: { ids: [-9007199254740992] } }])
      expect(await call(configured, 'ask', given)).toMatchObject({
        isError: true,
        content: [
          { text: expect.stringContaining('where JSON numbers are rounded, so it is not sent') as string },
        ],
      });
    expect(seen).toHaveLength(0);
    await call(configured, 'ask', { id: 9007199254740991, size: 1e20 });
    expect(seen.map(({ url }) => url)).toEqual(['/?id=9007199254740991&size=100000000000000000000']);
  });

  test('are strings of digits in answers', async () => {
    const { origin } = await upstream({
      type: 'application/json',
      body: '{"id":9007199254740993,"list":[1,-9007199254740993],"ratio":0.1}',
    });
    const configured = await load('c.yaml', askConfig(origin, '/'));
    expect(await call(configured, 'ask')).toMatchObject({
      content: [{ text: '{"id":"9007199254740993","list":[1,"-9007199254740993"],"ratio":0.1}' }],
    });
  });
});

test('a query keeps its question marks', async () => {
  const { origin, seen } = await upstream();
  const configured = await load('c.yaml', askConfig(origin, '/find?q=what?&n=1#part'));
  await call(configured, 'ask');
  expect(seen[0]?.url).toBe('/find?q=what%3F&n=1');
});

test('a path keeps its slashes', async () => {
  const { origin, seen } = await upstream();
  const configured = await load('c.yaml', askConfig(origin, '//{id}//x', '{ id: {} }'));
  await call(configured, 'ask', { id: '7' });
  expect(seen[0]?.url).toBe('//7//x');
});

describe('of an answer', () => {
  test.each(['text/plain', 'text/html', 'image/png', 'application/octet-stream', ''])(
    'a part is given if it is JSON, and called %j',
    async (type) => {
      const { origin } = await upstream({ type, body: '{"a":{"b":1},"secret":2}' });
      const configured = await load('c.yaml', askConfig(origin, '/ response: { select: /a/b }'));
      expect(await call(configured, 'ask')).toMatchObject({ content: [{ type: 'text', text: '1' }] });
    },
  );

  test('returns nothing if a part is selected and the response is not JSON', async () => {
    const { origin } = await upstream({ type: 'text/html', body: '<p>everything</p>' });
    const configured = await load('c.yaml', askConfig(origin, '/ response: { select: /a }'));
    const result = await call(configured, 'ask');
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('returned invalid JSON.') as string }],
    });
    expect(JSON.stringify(result)).not.toContain('everything');
  });

  test('JSON of more than 100,000 values is not parsed', async () => {
    const { origin } = await upstream({ type: 'application/json', body: `[${'{},'.repeat(50_000)}{}]` });
    const configured = await load('c.yaml', askConfig(origin, '/ response: { select: /0 }'));
    expect(await call(configured, 'ask')).toMatchObject({
      isError: true,
      content: [
        {
          text: expect.stringContaining(
            'returned more than 100,000 JSON values. Narrow the filters, or request smaller pages or fewer fields.',
          ) as string,
        },
      ],
    });
  });

  test('an image is text where text is wanted', async () => {
    const { origin } = await upstream({ type: 'image/svg+xml', body: '<svg/>' });
    const wanted = await load('c.yaml', askConfig(origin, '/ response: { as: text }'));
    expect(await call(wanted, 'ask')).toEqual({ content: [{ type: 'text', text: '<svg/>' }] });
    expect(await call(await load('d.yaml', askConfig(origin, '/')), 'ask')).toMatchObject({
      content: [{ type: 'image', mimeType: 'image/svg+xml' }],
    });
  });

  test('the headers are enough, also if they speak of a packed body', async () => {
    const { origin } = await upstream({ headers: { 'content-encoding': 'gzip' }, body: '' });
    const configured = await load('c.yaml', askConfig(origin, '/ method: HEAD'));
    expect(await call(configured, 'ask')).toEqual({
      content: [{ type: 'text', text: 'Done: the server returned 200 without content.' }],
    });
  });
});
