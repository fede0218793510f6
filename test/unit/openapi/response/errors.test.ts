import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../../support/fake-clock.ts';
import { answer, read, textsOf } from './support.ts';

function told(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body: string | Uint8Array = '',
): string[] {
  const result = read(answer(status, headers, body));
  expect(result.isError).toBe(true);
  return (textsOf(result)[0] ?? '').split('\n');
}

describe('an error', () => {
  test('is marked, with the failed request, the message of the server and a hint', () => {
    const body = '{ "message": "no such pet", "code": 17 }';
    expect(read(answer(404, { 'content-type': 'application/json' }, body))).toEqual({
      content: [
        {
          type: 'text',
          text: 'GET /pets/{id} answered 404 Not Found: {"message":"no such pet","code":17}\nThe id or another part of the address may be wrong, or the credentials may not see it.',
        },
      ],
      isError: true,
      _meta: { 'toolwright/error': { code: 'TOOL_ERROR' } },
    });
  });

  test.each([
    [400, 'GET /pets/{id} answered 400 Bad Request.', 'Check the arguments against what the API says.'],
    [403, 'GET /pets/{id} answered 403 Forbidden.', 'The credentials of this server do not allow this.'],
    [
      405,
      'GET /pets/{id} answered 405 Method Not Allowed.',
      'The API does not allow this operation here, or not in the present state.',
    ],
    [
      409,
      'GET /pets/{id} answered 409 Conflict.',
      'This conflicts with the present state: read it again, then decide.',
    ],
    [410, 'GET /pets/{id} answered 410 Gone.', 'This is gone for good; do not request it again.'],
    [
      412,
      'GET /pets/{id} answered 412 Precondition Failed.',
      'A precondition does not hold, such as a version that has changed: read it again, then decide.',
    ],
    [413, 'GET /pets/{id} answered 413 Payload Too Large.', 'The request is too large: send less.'],
    [
      415,
      'GET /pets/{id} answered 415 Unsupported Media Type.',
      'The API does not accept content of this type.',
    ],
    [418, "GET /pets/{id} answered 418 I'm a Teapot.", 'The API rejected the request.'],
    [
      422,
      'GET /pets/{id} answered 422 Unprocessable Entity.',
      'Check the arguments against what the API says.',
    ],
    [429, 'GET /pets/{id} answered 429 Too Many Requests.', 'Too many requests. Wait before trying again.'],
    [499, 'GET /pets/{id} answered 499.', 'The API rejected the request.'],
    [500, 'GET /pets/{id} answered 500 Internal Server Error.', 'The API has trouble. Try again later.'],
    [501, 'GET /pets/{id} answered 501 Not Implemented.', 'The API does not offer this operation.'],
    [599, 'GET /pets/{id} answered 599.', 'The API has trouble. Try again later.'],
  ])('%i has its hint', (status, first, hint) => {
    expect(told(status)).toEqual([first, hint]);
  });

  test('of the server is distinguished from one of the caller', () => {
    expect(read(answer(500))._meta).toEqual({ 'toolwright/error': { code: 'UPSTREAM_FAILED' } });
    expect(read(answer(400))._meta).toEqual({ 'toolwright/error': { code: 'TOOL_ERROR' } });
  });

  test('about credentials says where they are set and what the server wants', () => {
    const given = answer(401, { 'www-authenticate': 'Bearer realm="pets", error="invalid_token"' });
    expect(textsOf(read(given, { credentialSetting: 'PETS_TOKEN' }))[0]?.split('\n')).toEqual([
      'GET /pets/{id} answered 401 Unauthorized.',
      'The credentials for the API are missing, wrong or expired; they come from PETS_TOKEN. Other arguments do not help. The API asks for Bearer.',
    ]);
    expect(told(401)[1]).toBe(
      'The credentials for the API are missing, wrong or expired; they come from the settings of this server. Other arguments do not help.',
    );
  });

  test.each([
    [100, 'GET /pets/{id} answered 100 Continue: that is not a final response.'],
    [0, 'GET /pets/{id} answered 0: that is not a final response.'],
    [700, 'GET /pets/{id} answered 700: that is not a final response.'],
  ])('%i is none of HTTP, and one all the same', (status, text) => {
    expect(told(status)).toEqual([text]);
  });
});

describe('the time to wait', () => {
  const clock = new FakeClock();
  // The clock stands at 1970-01-01T00:16:40Z.
  const wait = (status: number, headers: Readonly<Record<string, string>>): [string, unknown] => {
    const result = read(answer(status, headers), { clock });
    const details = result._meta?.['toolwright/error'] as { retryAfterMs?: number } | undefined;
    return [(textsOf(result)[0] ?? '').split('\n')[1] ?? '', details?.retryAfterMs];
  };

  test.each([
    ['30', 'Too many requests. Try again in 30 seconds.', 30_000],
    ['1', 'Too many requests. Try again in 1 second.', 1000],
    ['0', 'Too many requests. Try again in 1 second.', 0],
    ['121', 'Too many requests. Try again in 3 minutes.', 121_000],
    ['7200', 'Too many requests. Try again in 2 hours.', 7_200_000],
    ['172800', 'Too many requests. Try again in 2 days.', 172_800_000],
    ['Thu, 01 Jan 1970 00:17:40 GMT', 'Too many requests. Try again in 60 seconds.', 60_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 'Too many requests. Try again in 1 second.', 0],
    ['soon', 'Too many requests. Wait before trying again.', undefined],
    ['9'.repeat(400), 'Too many requests. Wait before trying again.', undefined],
  ])('%s is told in words', (after, text, ms) => {
    expect(wait(429, { 'retry-after': after })).toEqual([text, ms]);
  });

  test('is reported for 503 and for 403', () => {
    expect(wait(503, { 'retry-after': '5' })).toEqual(['The API has trouble. Try again in 5 seconds.', 5000]);
    expect(wait(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1000001000' })).toEqual([
      'Too many requests. Try again in 11575 days.',
      1_000_000_000_000,
    ]);
    expect(wait(403, { 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '60' })[1]).toBeUndefined();
    expect(wait(500, { 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '60' })[1]).toBeUndefined();
    expect(wait(429, { 'x-ratelimit-reset': '60' })).toEqual([
      'Too many requests. Try again in 60 seconds.',
      60_000,
    ]);
  });
});

describe('messages of the server', () => {
  test('in a problem comes with its title and detail first', () => {
    const problem = {
      type: 'https://example.com/out-of-credit',
      status: 403,
      detail: 'Your balance is 30.',
      title: 'Not enough credit',
      balance: 30,
    };
    const type = { 'content-type': 'application/problem+json' };
    expect(told(403, type, JSON.stringify(problem)).slice(0, 2)).toEqual([
      'GET /pets/{id} answered 403 Forbidden: Not enough credit: Your balance is 30.',
      '{"type":"https://example.com/out-of-credit","balance":30}',
    ]);
    expect(told(404, type, '{"type":"about:blank","title":"Gone fishing","status":404}')[0]).toBe(
      'GET /pets/{id} answered 404 Not Found: Gone fishing',
    );
    expect(told(400, type, '{"title":7,"why":"x"}')[0]).toBe(
      'GET /pets/{id} answered 400 Bad Request: {"title":7,"why":"x"}',
    );
    expect(told(400, type, '["odd"]')[0]).toBe('GET /pets/{id} answered 400 Bad Request: ["odd"]');
  });

  test('in words stays as it is', () => {
    expect(told(400, { 'content-type': 'text/plain' }, ' name is missing\n')[0]).toBe(
      'GET /pets/{id} answered 400 Bad Request: name is missing',
    );
    expect(told(400, { 'content-type': 'application/json' }, '"name is missing"')[0]).toBe(
      'GET /pets/{id} answered 400 Bad Request: name is missing',
    );
    expect(told(500, { 'content-type': 'application/json' }, '{oops')[0]).toBe(
      'GET /pets/{id} answered 500 Internal Server Error: {oops',
    );
  });

  test('on a page is what people see of it', () => {
    const page = `<!DOCTYPE html><html><head><title>502 Bad &amp; Gateway</title><style>b { color: red }</style>
      <script>if (1 < 2) alert("x")</script></head><body><!-- a > b --><h1>Sorry</h1><p>nginx&nbsp;&#39;1&#x27;<br>later</body></html>`;
    expect(told(502, { 'content-type': 'text/html' }, page)[0]).toBe(
      "GET /pets/{id} answered 502 Bad Gateway: 502 Bad & Gateway. Sorry nginx '1' later",
    );
    expect(told(502, {}, '<html><body>only<script>never closed')[0]).toBe(
      'GET /pets/{id} answered 502 Bad Gateway: only',
    );
    expect(told(502, { 'content-type': 'text/html' }, '<title>Just a title</title>')[0]).toBe(
      'GET /pets/{id} answered 502 Bad Gateway: Just a title',
    );
  });

  test('on a page is short', () => {
    const page = `<html>${'word '.repeat(1000)}`;
    expect(told(500, { 'content-type': 'text/html' }, page)[0]).toBe(
      `GET /pets/{id} answered 500 Internal Server Error: ${'word '.repeat(100)}…`,
    );
  });

  test('has at most 4,000 characters, none of them torn apart', () => {
    const [first = ''] = told(400, { 'content-type': 'text/plain' }, `${'x'.repeat(3999)}\u{1f600}y`);
    expect(first).toBe(`GET /pets/{id} answered 400 Bad Request: ${'x'.repeat(3999)}…`);
    const body = JSON.stringify({ a: 'x'.repeat(10_000) });
    expect(told(400, { 'content-type': 'application/json' }, body)[0]).toHaveLength(
      'GET /pets/{id} answered 400 Bad Request: …'.length + 4000,
    );
  });

  test('in bytes is not shown', () => {
    expect(told(400, { 'content-type': 'image/png' }, Buffer.from([0, 1]))[0]).toBe(
      'GET /pets/{id} answered 400 Bad Request.',
    );
  });

  test.each([
    ['text/plain', 'token=s3cret!'],
    ['application/json', '{"a":"s3cret!"}'],
    ['text/html', '<html>s3cret!</html>'],
    ['application/problem+json', '{"title":"s3cret!"}'],
    ['text/plain', `${'x'.repeat(3997)}s3cret!`],
  ])('is shown without secrets: %s', (type, body) => {
    const hide = (text: string): string => text.replaceAll('s3cret', '***');
    const [text = ''] = textsOf(read(answer(401, { 'content-type': type }, body), { hide }));
    expect(text).toContain('***');
    expect(text).not.toContain('s3');
  });
});

describe('a redirect', () => {
  test('is an error that says where to, without query and credentials', () => {
    expect(told(301, { location: 'https://user:pw@other.example/v2/pets?key=abc#x' })).toEqual([
      'GET /pets/{id} answered 301 Moved Permanently: it has moved to https://other.example/v2/pets. Only redirects of GET and HEAD within the origin of the API are followed, none with "redirects: false"; correct the base URL of the API.',
    ]);
    expect(told(302)).toEqual([
      'GET /pets/{id} answered 302 Found: it has moved. Only redirects of GET and HEAD within the origin of the API are followed, none with "redirects: false"; correct the base URL of the API.',
    ]);
    expect(read(answer(307))._meta).toEqual({ 'toolwright/error': { code: 'UPSTREAM_FAILED' } });
  });
});
