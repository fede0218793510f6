import { describe, expect, test } from 'vitest';
import { FetchRequest } from '../../../src/transport/http/faces/fetch-face.ts';
import { Gatekeeper } from '../../../src/transport/http/gate/gatekeeper.ts';
import type { GatekeeperOptions } from '../../../src/transport/http/gate/gatekeeper.ts';
import type { HttpRequest } from '../../../src/transport/http/message/http-message.ts';
import { refused } from '../../support/refused.ts';

function request(headers: Readonly<Record<string, string>>, hasSeveralHosts = false): HttpRequest {
  return {
    method: 'POST',
    target: '/mcp',
    address: undefined,
    request: undefined,
    host: undefined,
    header: (name) => headers[name],
    isRepeated: () => false,
    joinsHeaders: false,
    findRepeated: (names) => (hasSeveralHosts ? names.find((name) => name === 'host') : undefined),
    pauseBody: () => 0,
    resumeBody: () => {},
    headerNames: () => [],
    readBody: () => ({ kind: 'text', text: '' }),
  };
}

const statusOf = (options: GatekeeperOptions, headers: Record<string, string>, several = false): number =>
  new Gatekeeper(options).check(request(headers, several))?.status ?? 200;

describe('the host of a request', () => {
  test.each([
    ['localhost', 200],
    ['localhost:3000', 200],
    ['LOCALHOST:3000', 200],
    ['localhost.', 200],
    ['127.0.0.1:8080', 200],
    ['[::1]:3000', 200],
    ['evil.example.com', 403],
    ['localhost.evil.com', 403],
    ['evil-localhost', 403],
    ['127.0.0.1.evil.com', 403],
    ['127.0.0.2', 403],
    ['[::2]', 403],
    ['0.0.0.0:3000', 403],
    ['evil.com@127.0.0.1', 400],
    ['127.0.0.1:3000/x', 400],
    ['local host', 400],
    ['', 400],
    ['localhost:3000:1', 400],
    ['localhost, evil.com', 400],
  ])('%s by default: %i', (host, status) => {
    expect(statusOf({}, { host })).toBe(status);
  });

  test('is missing: 400', () => {
    expect(statusOf({}, {})).toBe(400);
  });

  test('is said twice: 400, even if both are allowed', () => {
    expect(statusOf({}, { host: 'localhost' }, true)).toBe(400);
  });

  test('that is named is served, with any port or with its own', () => {
    const options = { allowedHosts: ['api.example.com', 'Other.example.com:8443'] };
    expect(statusOf(options, { host: 'API.example.com' })).toBe(200);
    expect(statusOf(options, { host: 'api.example.com:444' })).toBe(200);
    expect(statusOf(options, { host: 'other.example.com:8443' })).toBe(200);
    expect(statusOf(options, { host: 'other.example.com' })).toBe(403);
    expect(statusOf(options, { host: 'localhost' })).toBe(403);
  });

  test.each(['https://api.example.com', 'a b', '', '*', 'x/y'])('%s cannot be allowed', (host) => {
    expect(() => new Gatekeeper({ allowedHosts: [host] })).toThrow(refused('allowedHosts', { path: [0] }));
  });
});

describe('the origin of a request', () => {
  const host = 'localhost:3000';
  test.each([
    ['http://localhost:6274', 200],
    ['http://127.0.0.1', 200],
    ['https://[::1]:9', 200],
    ['http://evil.example.com', 403],
    ['http://localhost.evil.com', 403],
    ['http://localhost@evil.com', 403],
    ['http://evil.com/localhost', 403],
    ['null', 403],
    ['', 403],
    ['file://', 403],
    ['chrome-extension://abc', 403],
  ])('%s by default: %i', (origin, status) => {
    expect(statusOf({}, { host, origin })).toBe(status);
  });

  test('that is named is served and may read the answer', () => {
    const gate = new Gatekeeper({ allowedOrigins: ['https://app.example.com'] });
    const allowed = request({ host, origin: 'https://app.example.com' });
    expect(gate.check(allowed)).toBeUndefined();
    expect(gate.corsHeaders(allowed)).toEqual({
      'access-control-allow-origin': 'https://app.example.com',
      'access-control-expose-headers':
        'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, DPoP-Nonce, Retry-After',
      vary: 'Origin',
    });
    expect(gate.check(request({ host, origin: 'https://app.example.com:444' }))?.status).toBe(403);
    expect(gate.corsHeaders(request({ host }))).toEqual({ vary: 'Origin' });
  });

  test('of this machine is served, but gets no CORS headers unless it is named', () => {
    const local = request({ host, origin: 'http://localhost:6274' });
    expect(new Gatekeeper({}).corsHeaders(local)).toEqual({});
    expect(new Gatekeeper({}).preflightHeaders(local)).toBeUndefined();
  });

  test('may send the headers of the protocol and no others', () => {
    const gate = new Gatekeeper({ allowedOrigins: ['https://app.example.com'] });
    const asking = request({
      host,
      origin: 'https://app.example.com',
      'access-control-request-headers': 'content-type, Mcp-Param-Region,x-evil, authorization, mcp-method',
    });
    expect(gate.preflightHeaders(asking)).toMatchObject({
      'access-control-allow-headers': 'content-type, Mcp-Param-Region, authorization, mcp-method',
      'access-control-allow-methods': 'POST, GET, DELETE, OPTIONS',
    });
  });

  test.each(['*', 'null', 'app.example.com', 'https://app.example.com/', 'https://*.example.com'])(
    '%s cannot be allowed',
    (origin) => {
      expect(() => new Gatekeeper({ allowedOrigins: [origin] })).toThrow(
        refused('allowedOrigins', { path: [0] }),
      );
    },
  );
});

describe('a web-standard request', () => {
  const check = (url: string, headers: Record<string, string>): number =>
    new Gatekeeper({ allowedHosts: ['api.example.com', 'localhost'] }).check(
      new FetchRequest(new Request(url, { headers })),
    )?.status ?? 200;

  test.each([
    ['http://api.example.com/mcp', 'api.example.com', 200],
    ['https://api.example.com:8443/mcp', 'API.example.com', 200],
    ['http://localhost:3000/mcp', 'api.example.com', 200],
    ['http://evil.com/mcp', 'api.example.com', 400],
    ['http://evil.com/mcp', 'evil.com', 403],
  ])('%s with Host: %s is %i', (url, host, status) => {
    expect(check(url, { host })).toBe(status);
  });

  test.each([
    ['Bearer a', 200],
    ['Bearer a, Bearer b', 400],
    ['Basic YTpi, Basic YTpj', 400],
    ['Digest username="a, Bearer b", realm="c", nonce="d"', 200],
    ['Digest username="a", realm="c", Bearer b', 400],
  ])('with Authorization: %s is %i', (authorization, status) => {
    expect(check('http://localhost/mcp', { authorization })).toBe(status);
  });

  test.each([
    ['application/json; charset=utf-8', 200],
    ['application/json, text/plain', 400],
  ])('with Content-Type: %s is %i', (type, status) => {
    expect(check('http://localhost/mcp', { 'content-type': type })).toBe(status);
  });
});
