import { connect } from 'node:net';
import { expect } from 'vitest';
import { refuse } from '../../src/http.ts';
import type { Authenticate } from '../../src/http.ts';
import { requirement } from './requirement.ts';
import { within } from './support/inbox.ts';
import { JSON_HEADERS, modernRequest } from './support/raw-http.ts';
import type { RawRequest, RawResponse } from './support/raw-http.ts';
import { initializeMessage, modernMessage, textOf } from './support/rpc.ts';
import { startHttp } from './support/sample.ts';
import type { HttpSample } from './support/sample.ts';

type Headers = NonNullable<RawRequest['headers']>;

function sendWith({ http }: HttpSample, headers: Headers, name = 'primes'): Promise<RawResponse> {
  return http.send(modernRequest(modernMessage('tools/call', { name }), headers));
}

requirement('gate:origin', 'foreign origins are 403; none, local and named ones pass', async () => {
  await using sample = await startHttp({}, { allowedOrigins: ['https://app.example.com'] });
  const foreign = [
    'http://evil.example.com',
    'https://app.example.com.evil.com',
    'https://app.example.com:8443',
    'http://app.example.com',
    'http://localhost.evil.com',
    'http://evil@localhost',
    'null',
    '',
  ];
  for (const Origin of foreign) {
    const { status, headers, json } = await sendWith(sample, { Origin });
    expect([Origin, status, json.error?.code]).toEqual([Origin, 403, -32600]);
    expect(json).not.toHaveProperty('id');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    const legacy = await sample.http.send({
      headers: { ...JSON_HEADERS, Origin },
      body: initializeMessage('2025-11-25'),
    });
    expect(legacy.status).toBe(403);
  }
  const known = ['https://app.example.com', 'http://localhost', 'http://127.0.0.1:3000', 'http://[::1]:3000'];
  for (const Origin of [undefined, ...known])
    expect([Origin, (await sendWith(sample, { Origin })).status]).toEqual([Origin, 200]);
});

/** Sends raw bytes, and returns the first line of the response. */
async function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const answered = new Promise<string>((resolve, reject) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [line] = text.split('\r\n');
      if (text.includes('\r\n')) resolve(String(line));
    });
    socket.on('error', reject);
  });
  socket.write(bytes);
  try {
    return await within(answered, 'the first line of a response');
  } finally {
    socket.destroy();
  }
}

requirement('gate:host', 'foreign hosts are 403, malformed and doubled ones 400', async () => {
  await using sample = await startHttp();
  for (const Host of ['evil.example.com', 'localhost.evil.com', '127.0.0.1.evil.com', '0.0.0.0', '127.0.0.2'])
    expect([Host, (await sendWith(sample, { Host })).status]).toEqual([Host, 403]);
  for (const Host of ['localhost@evil.com', 'localhost/evil', 'localhost:port', 'a b'])
    expect([Host, (await sendWith(sample, { Host })).status]).toEqual([Host, 400]);
  for (const Host of ['localhost', 'LOCALHOST:1234', '127.0.0.1:80', '[::1]:80', 'localhost.'])
    expect([Host, (await sendWith(sample, { Host })).status]).toEqual([Host, 200]);
  const { port } = sample;
  const doubled = 'GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example.com\r\n\r\n';
  expect(await sendBytes(port, doubled)).toBe('HTTP/1.1 400 Bad Request');
  expect(await sendBytes(port, 'GET /health HTTP/1.1\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request');
  await using named = await startHttp({}, { allowedHosts: ['api.example.com'] });
  expect((await sendWith(named, { Host: 'api.example.com' })).status).toBe(200);
  expect((await sendWith(named, { Host: 'localhost' })).status).toBe(403);
});

requirement('gate:cors', 'named origins get CORS headers, others none', async () => {
  await using sample = await startHttp({}, { allowedOrigins: ['https://app.example.com'] });
  const named = { Origin: 'https://app.example.com' };
  const answer = await sendWith(sample, named);
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': 'https://app.example.com',
    'access-control-expose-headers':
      'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, DPoP-Nonce, Retry-After',
    vary: 'Origin',
  });
  const asked = {
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'content-type, mcp-method, mcp-param-region, authorization, x-evil',
  };
  const preflight = await sample.http.send({ method: 'OPTIONS', headers: { ...named, ...asked } });
  expect([preflight.status, preflight.text]).toEqual([204, '']);
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': 'https://app.example.com',
    'access-control-allow-methods': 'POST, GET, DELETE, OPTIONS',
    'access-control-allow-headers': 'content-type, mcp-method, mcp-param-region, authorization',
    'access-control-max-age': '600',
  });
  const refused = await sendWith(sample, { ...named, Accept: 'text/html' });
  expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([
    406,
    'https://app.example.com',
  ]);
  const local = { Origin: 'http://localhost:3000' };
  expect((await sendWith(sample, local)).headers).not.toHaveProperty('access-control-allow-origin');
  const unnamed = await sample.http.send({ method: 'OPTIONS', headers: { ...local, ...asked } });
  expect(unnamed.status).toBe(405);
  expect(unnamed.headers).not.toHaveProperty('access-control-allow-origin');
});

requirement('gate:health', 'the health path says that the server is up, to anybody', async () => {
  await using sample = await startHttp({}, { authenticate: () => refuse() });
  const up = await sample.http.send({ method: 'GET', path: '/health' });
  expect([up.status, up.text]).toEqual([
    200,
    '{"status":"ok","memory":{"usedBytes":0,"maxBytes":134217728}}',
  ]);
  expect((await sample.http.send({ method: 'HEAD', path: '/health' })).status).toBe(200);
  const posted = await sample.http.send({ path: '/health', headers: JSON_HEADERS, body: {} });
  expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
  const foreign = await sample.http.send({ method: 'GET', path: '/health', headers: { Host: 'evil.com' } });
  expect([foreign.status, foreign.text]).toEqual([200, '{"status":"ok"}']);
  const page = { Host: 'evil.com', Origin: 'http://evil.com' };
  expect((await sample.http.send({ method: 'GET', path: '/health', headers: page })).status).toBe(403);
  await using other = await startHttp({}, { healthPath: '/up' });
  expect((await other.http.send({ method: 'GET', path: '/up' })).status).toBe(200);
  expect((await other.http.send({ method: 'GET', path: '/health' })).status).toBe(404);
  await using none = await startHttp({}, { healthPath: false });
  expect((await none.http.send({ method: 'GET', path: '/health' })).status).toBe(404);
});

requirement('gate:authenticate', 'authenticate decides who calls', async () => {
  const authenticate: Authenticate = ({ headers, method, url }) => {
    const token = headers.get('Authorization');
    if (token === 'Bearer alice') return { id: `alice via ${method} ${url}` };
    if (token === 'Bearer poor') return refuse({ status: 403, message: 'Not for you.' });
    return refuse({ headers: { 'WWW-Authenticate': 'Bearer resource_metadata="https://example.com/x"' } });
  };
  await using sample = await startHttp({}, { authenticate });
  const nobody = await sendWith(sample, {});
  expect(nobody.status).toBe(401);
  expect(nobody.headers['www-authenticate']).toBe('Bearer resource_metadata="https://example.com/x"');
  expect(nobody.json.error).toEqual({ code: -32600, message: 'Authentication is required.' });
  const poor = await sendWith(sample, { Authorization: 'Bearer poor' });
  expect([poor.status, poor.json.error?.message]).toEqual([403, 'Not for you.']);
  const alice = await sendWith(sample, { Authorization: 'Bearer alice' }, 'whoami');
  expect(textOf(alice.json)).toMatch(/^alice via POST \/mcp raw/);
  for (const method of ['GET', 'DELETE'])
    expect((await sample.http.send({ method, headers: { Accept: 'text/event-stream' } })).status).toBe(401);
});

requirement(
  'gate:authenticate:fails-closed',
  'whatever authenticate does wrong, nobody gets in',
  async () => {
    const cases: [Authenticate, number][] = [
      [() => undefined as never, 401],
      [() => ({ id: '' }), 401],
      [() => true as never, 401],
      [() => Promise.resolve(null as never), 401],
      [() => Promise.reject(new Error('database is down')), 503],
      [
        () => {
          throw new Error('database is down');
        },
        503,
      ],
    ];
    for (const [authenticate, status] of cases) {
      await using sample = await startHttp({}, { authenticate });
      const answer = await sendWith(sample, {});
      expect(answer.status).toBe(status);
      expect(answer.text).not.toContain('database');
    }
    let ask: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const never: Authenticate = () => {
      ask();
      return new Promise(() => {});
    };
    await using slow = await startHttp({}, { authenticate: never, authenticateTimeoutMs: 1000 });
    const answer = sendWith(slow, {});
    await within(asked, 'the question who it is');
    slow.clock.advance(1000);
    expect((await answer).status).toBe(503);
  },
);
