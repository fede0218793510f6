import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { linkToUrl } from '../../../src/client/http-link.ts';
import { LinkError } from '../../../src/client/link.ts';
import type { RpcMessage } from '../../../src/client/link.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { sendEvents, sendJson, serveRaw } from './raw-http-server.ts';
import type { RawHttpServer } from './raw-http-server.ts';

const ASKED: RpcMessage = { id: 1, method: 'tools/list' };

const failureOf = async ({ url }: RawHttpServer): Promise<unknown> =>
  linkToUrl(url)
    .send(ASKED)
    .then(
      () => 'no failure',
      (error: unknown) => error,
    );

describe('a request over HTTP that is not answered fails, and never waits for ever', () => {
  test.each<[string, Parameters<typeof serveRaw>[0], RegExp]>([
    [
      '202',
      (_asked, response) => response.writeHead(202).end(),
      /responded to tools\/list without a result \(status 202\)/,
    ],
    [
      'an empty 200',
      (_asked, response) => response.end(),
      /responded to tools\/list without a result \(status 200\)/,
    ],
    [
      'a stream that ends early',
      (_asked, response) =>
        sendEvents(response, [{ jsonrpc: '2.0', method: 'notifications/message', params: {} }]),
      /responded to tools\/list without a result \(status 200\)\. Check the log of the server\.$/,
    ],
    [
      'an answer to something else',
      (_asked, response) => sendJson(response, { jsonrpc: '2.0', id: 7, result: {} }),
      /without a result/,
    ],
    [
      'a stream that breaks off',
      (_asked, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: {"jsonrpc":', () => response.destroy());
      },
      /^http:\/\/127\.0\.0\.1:\d+\/mcp: the connection was lost during a response\. Try again\.$/,
    ],
    [
      'a body that breaks off',
      (_asked, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"jsonrpc":', () => response.destroy());
      },
      /the connection was lost during a response/,
    ],
    [
      'an event that is no JSON',
      (_asked, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: oops\n\n');
      },
      /^The server sent an event that is not a JSON-RPC message: oops$/,
    ],
    [
      'an event that is no message',
      (_asked, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: null\n\n');
      },
      /^The server sent an event that is not a JSON-RPC message: null$/,
    ],
  ])('%s', async (_what, answer, message) => {
    await using server = await serveRaw(answer);
    const failure = await failureOf(server);
    expect(failure).toBeInstanceOf(LinkError);
    expect((failure as LinkError).message).toMatch(message);
  });
});

test('an error without an id answers the request that it came back for', async () => {
  const error = { code: -32700, message: 'Parse error' };
  await using server = await serveRaw((_asked, response) => sendJson(response, { jsonrpc: '2.0', error }));
  const link = linkToUrl(server.url);
  const heard: RpcMessage[] = [];
  link.onMessage = (message) => void heard.push(message);
  await link.send(ASKED);
  await link.send({ method: 'notifications/initialized' });
  expect(heard).toEqual([{ jsonrpc: '2.0', id: 1, error }]);
});

test('the target of a redirect is reported without its query', async () => {
  await using server = await serveRaw((_asked, response) =>
    response.writeHead(307, { location: 'https://new.example/mcp?token=hunter2' }).end('moved'),
  );
  expect(String(await failureOf(server))).toBe(
    'LinkError: The server returned 307: it has moved to https://new.example/mcp. Use that URL.',
  );
});

describe('ending a session', () => {
  const withSession = (onDelete: Parameters<typeof serveRaw>[0]): Promise<RawHttpServer> =>
    serveRaw((asked, response) => {
      if (asked.verb === 'DELETE') onDelete(asked, response);
      else sendJson(response, { jsonrpc: '2.0', id: 1, result: {} }, { 'mcp-session-id': 's1' });
    });

  test('goes nowhere else, and names the revision', async () => {
    await using server = await withSession((_asked, response) =>
      response.writeHead(307, { location: '/elsewhere' }).end(),
    );
    const link = linkToUrl(server.url, { headers: { 'x-key': 'secret' } });
    await link.send(ASKED);
    link.agree('2025-06-18');
    await link.close();
    expect(server.asked.map(({ verb, path }) => `${verb} ${path}`)).toEqual(['POST /mcp', 'DELETE /mcp']);
    expect(server.asked[1]?.headers).toMatchObject({
      'x-key': 'secret',
      'mcp-session-id': 's1',
      'mcp-protocol-version': '2025-06-18',
    });
  });

  test('times out after two seconds', async () => {
    const clock = new FakeClock();
    const ended = new AbortController();
    await using server = await withSession(() => ended.abort());
    const link = linkToUrl(server.url, { clock });
    await link.send(ASKED);
    const closed = link.close();
    await once(ended.signal, 'abort');
    clock.advance(2000);
    await closed;
    expect(clock.pending).toBe(0);
  });
});
