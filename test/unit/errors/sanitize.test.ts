import { describe, expect, test } from 'vitest';
import { redactInternals, redactSecrets } from '../../../src/errors/sanitize.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

describe('credentials', () => {
  test.each([
    ['a bearer token', 'got Bearer abc.def-123/x= back', 'got Bearer [redacted] back'],
    ['basic credentials', 'Basic dXNlcjpwYXNz', 'Basic [redacted]'],
    ['a header with a scheme', 'Authorization: token abc123 failed', 'Authorization: [redacted] failed'],
    ['a header in JSON', '{"authorization":"Bearer abc"}', '{"authorization":[redacted]}'],
    ['a digest header', 'authorization: Digest username="bob", response="xyz"', 'authorization: [redacted]'],
    ['a cookie in JSON', '{"cookie":"a=1; b=2","x":1}', '{"cookie":[redacted],"x":1}'],
    ['a cookie header', 'Cookie: a=1; b=2\r\nHost: x', 'Cookie: [redacted]\r\nHost: x'],
    ['an array of cookies', '{"set-cookie":["a=1","b=2"]}', '{"set-cookie":[redacted]}'],
    ['a list of headers', '["X-Api-Key","abc","Host","x"]', '["X-Api-Key",[redacted],"Host","x"]'],
    ['JSON inside of JSON', String.raw`"{\"x-api-key\":\"abc\"}"`, String.raw`"{\"x-api-key\":[redacted]}"`],
    ['a signed URL', 'GET https://a.example/x?sig=ab%2F&a=1', 'GET https://a.example/x?sig=[redacted]&a=1'],
    ['a JSON web token', `jwt ${JWT}!`, 'jwt [redacted]!'],
    [
      'an API key of a known form',
      'with sk-abcdefghijklmnop and ghp_0123456789abcdef',
      'with [redacted] and [redacted]',
    ],
    ['a key of a cloud', 'AKIAIOSFODNN7EXAMPLE', '[redacted]'],
    ['a URL with user and password', 'postgres://user:pass@db/x', 'postgres://[redacted]@db/x'],
    ['a URL with a password that contains an @', 'https://u:p@ss@host/x', 'https://[redacted]@host/x'],
    ['a URL with a token as user', 'https://abcdef@host/x', 'https://[redacted]@host/x'],
    ['a query parameter', 'GET /x?access_token=abc&y=1', 'GET /x?access_token=[redacted]&y=1'],
    ['key=value', 'password=hunter2, next', 'password=[redacted], next'],
    ['key: "value with blanks"', 'secret: "a b c", x', 'secret: [redacted], x'],
    ["key: 'value with blanks'", "passphrase: 'a b c'; x", 'passphrase: [redacted]; x'],
    ['a JSON member', '{"api_key":"abc","x":1}', '{"api_key":[redacted],"x":1}'],
    ['an environment variable', 'AWS_SECRET_ACCESS_KEY=wJalr/x', 'AWS_SECRET_ACCESS_KEY=[redacted]'],
    ['camel case', 'clientSecret=abc apiKey=def', 'clientSecret=[redacted] apiKey=[redacted]'],
    [
      'a private key',
      'x -----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- y',
      'x [redacted] y',
    ],
  ])('%s is taken out', (_, text, expected) => {
    expect(redactSecrets(text)).toBe(expected);
  });

  test.each([
    'The Basic plan does not allow this.',
    'Basic authentication is not supported.',
    'skip_validation_of_input and skateboarding-competition',
    'max_tokens=4096',
    'Invalid cookie: the session has expired',
    'The code=404 of the response',
    'The token is missing.',
    'see https://example.com:8080/a/b and bob@example.com',
    'file /srv/app/x.ts stays here',
  ])('"%s" is left alone', (text) => {
    expect(redactSecrets(text)).toBe(text);
  });
});

describe('internals', () => {
  test.each([
    ['an absolute path', 'open /srv/app/x.ts failed', 'open [path] failed'],
    ['a path in brackets', 'at (/srv/app/x.ts:1:2)', 'at ([path]:1:2)'],
    ['a path in square brackets', '[/srv/app]', '[[path]]'],
    ['a file URL', 'file:///srv/app/x.ts:1 failed', '[path] failed'],
    ['a Windows path', 'open C:\\Program Files\\app\\x.ts failed', 'open [path] failed'],
    ['stack frames', 'Error: x\n    at run (a.ts:1)\n\tat b.ts\nend', 'Error: x\n\n\nend'],
    ['credentials as well', 'token=abc in /srv/app/x', 'token=[redacted] in [path]'],
  ])('%s is taken out', (_, text, expected) => {
    expect(redactInternals(text)).toBe(expected);
  });

  test.each(['see https://example.com/a/b', 'either/or', 'a / b', '/ping', 'at most 3'])(
    '"%s" is left alone',
    (text) => {
      expect(redactInternals(text)).toBe(text);
    },
  );
});

describe('long and hostile texts', () => {
  test('a text is cut at 10,000 characters', () => {
    expect(redactSecrets('x '.repeat(10_000))).toBe(`${'x '.repeat(5000)}…`);
  });

  test.each([
    ['a password in a URL', 'https://user:hunter2hunter2hunter2hunter2@host'],
    ['a quoted secret', 'password: "hunter2 hunter2 hunter2 hunter2"'],
    ['a private key', '-----BEGIN PRIVATE KEY-----hunter2hunter2-----END PRIVATE KEY-----'],
  ])('%s that the cut goes through is taken out', (_, secret) => {
    const text = `${'x'.repeat(9965)} ${secret}`;
    expect(text.length).toBeGreaterThan(10_000);
    expect(redactSecrets(text).slice(9960)).not.toContain('hunt');
  });

  // Each text has as many matches as possible for one of the patterns; the length limit bounds the cost.
  test.each([
    'a',
    'a-',
    'a.',
    'eyJ-',
    'eyJaaaaa.',
    'a://',
    'a:',
    'a@',
    'token',
    'token= ',
    'token="',
    'authorization:',
    'authorization: a',
    'Bearer ',
    'basic ',
    'C:\\a ',
    'C:\\',
    '/a',
    ' /a',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    '\tat x\n',
    '\n',
    ' ',
    '\\',
    '"',
    "'",
    'sk-',
    '_',
  ])('a text made of %j is answered', (piece) => {
    for (let run = 0; run < 20; run += 1) {
      expect(redactInternals(piece.repeat(1_000_000 / piece.length)).length).toBeLessThanOrEqual(60_000);
    }
  });
});
