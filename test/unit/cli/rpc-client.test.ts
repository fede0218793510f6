import { describe, expect, test } from 'vitest';
import { LinkError } from '../../../src/client/link.ts';
import type { Link, RpcMessage } from '../../../src/client/link.ts';
import { connectClient } from '../../../src/client/rpc-client.ts';
import type { ConnectOptions, RpcClient } from '../../../src/client/rpc-client.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** The other end of a link, controlled by a test. */
interface Peer {
  readonly link: Link;
  readonly sent: RpcMessage[];
  readonly clock: FakeClock;
  readonly say: (message: RpcMessage) => void;
}

function createPeer(): Peer {
  const sent: RpcMessage[] = [];
  const link: Link = {
    send: async (message) => void sent.push(message),
    onMessage: () => {},
    onEnd: () => {},
    agree: () => {},
    close: async () => {},
  };
  return { link, sent, clock: new FakeClock(), say: (message) => link.onMessage(message) };
}

const connect = ({ link, clock }: Peer, more: Partial<ConnectOptions> = {}): Promise<RpcClient> =>
  connectClient(link, { name: 'c', version: '1', clock, ...more });

/** Runs everything that is ready. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const NEW = { capabilities: {}, serverInfo: { name: 'new', version: '1' } };
const OLD = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'old', version: '1' } };

async function connected(peer: Peer, more: Partial<ConnectOptions> = {}): Promise<RpcClient> {
  const client = connect(peer, more);
  peer.say({ id: 1, result: NEW });
  return client;
}

const methodsOf = ({ sent }: Peer): (string | undefined)[] => sent.map(({ method }) => method);

describe('connecting', () => {
  test('a refusal of the first question that comes late is not taken for one of the handshake', async () => {
    const peer = createPeer();
    const client = connect(peer);
    peer.clock.advance(5000);
    await settle();
    expect(methodsOf(peer)).toEqual(['server/discover', 'initialize']);
    peer.say({ id: 1, error: { code: -32601, message: 'Unknown' } });
    await settle();
    peer.say({ id: 2, result: OLD });
    expect((await client).self).toMatchObject({ name: 'old', protocolVersion: '2025-06-18' });
    expect(methodsOf(peer)).toEqual(['server/discover', 'initialize', 'notifications/initialized']);
    expect(peer.clock.pending).toBe(0);
  });

  test('a server that needs 29 seconds to start is waited for, and met in the newest way', async () => {
    const peer = createPeer();
    const connecting = connect(peer);
    peer.clock.advance(5000);
    await settle();
    peer.clock.advance(24_000);
    peer.say({ id: 1, result: NEW });
    peer.say({ id: 2, result: OLD });
    const client = await connecting;
    expect(client.self).toMatchObject({ name: 'new', protocolVersion: '2026-07-28' });
    void client.request('tools/list').catch(() => {});
    expect(peer.sent.at(-1)?.params?.['_meta']).toMatchObject({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    });
    expect(methodsOf(peer)).not.toContain('notifications/initialized');
  });

  test.each([
    ['30 seconds', {}, 30_000],
    ['as long as it was told', { connectMs: 200 }, 200],
  ])('one that never says who it is is given up after %s', async (_long, more, ms) => {
    const peer = createPeer();
    const failed = connect(peer, more).then(
      () => 'connected',
      (error: unknown) => error,
    );
    peer.clock.advance(ms / 2);
    await settle();
    peer.clock.advance(ms / 2 - 1);
    await settle();
    expect(peer.clock.pending).toBeGreaterThan(0);
    peer.clock.advance(1);
    expect(await failed).toBeInstanceOf(LinkError);
    expect(String(await failed)).toBe(
      'LinkError: Timeout: the server did not respond to initialize. Increase --timeout.',
    );
    expect(peer.clock.pending).toBe(0);
  });

  test('one that ends while both questions wait is reported as such', async () => {
    const peer = createPeer();
    const connecting = connect(peer);
    peer.clock.advance(5000);
    await settle();
    peer.link.onEnd(new LinkError('it ended with code 4'));
    await expect(connecting).rejects.toThrow('it ended with code 4');
  });
});

describe('a request', () => {
  test.each([
    ['60 seconds', {}, 60_000],
    ['as long as it was told', { answerMs: 70 }, 70],
  ])('that is never answered is given up after %s, and taken back', async (_long, more, ms) => {
    const peer = createPeer();
    const client = await connected(peer, more);
    let failure: unknown;
    void client.request('prompts/get', { name: 'x' }).catch((error: unknown) => {
      failure = error;
    });
    peer.clock.advance(ms - 1);
    await settle();
    expect(failure).toBeUndefined();
    peer.clock.advance(1);
    await settle();
    expect(failure).toBeInstanceOf(LinkError);
    expect(peer.sent.at(-1)).toEqual({ method: 'notifications/cancelled', params: { requestId: 2 } });
  });

  test('is not hurt by an error that answers one which was given up', async () => {
    const peer = createPeer();
    const client = await connected(peer);
    const first = client.request('tools/list', {}, { timeoutMs: 10 });
    const second = client.request('prompts/list');
    peer.clock.advance(10);
    await expect(first).rejects.toThrow('did not respond to tools/list');
    peer.say({ id: 2, error: { code: -32603, message: 'late' } });
    peer.say({ id: 3, result: { prompts: [] } });
    expect(await second).toEqual({ prompts: [] });
  });

  test.each([[null], [undefined]])('is answered by an error with the id %s', async (id) => {
    const peer = createPeer();
    const client = await connected(peer);
    const asked = client.request('tools/list');
    const error = { code: -32700, message: 'Parse error' };
    peer.say(id === undefined ? { error } : { id, error });
    await expect(asked).rejects.toThrow('Parse error');
  });

  test.each([
    ['a text', { result: 'done' }],
    ['nothing', { result: null }],
  ])('is not answered by %s', async (_what, wrong) => {
    const peer = createPeer();
    const client = await connected(peer);
    const asked = client.request('tools/list');
    peer.say({ id: 2, ...wrong } as unknown as RpcMessage);
    await expect(asked).rejects.toThrow('The server sent a response without a result or an error.');
  });

  test('leaves no timer behind once it is answered', async () => {
    const peer = createPeer();
    const client = await connected(peer);
    const asked = client.request('tools/list');
    peer.say({ id: 2, result: { tools: [] } });
    await asked;
    expect(peer.clock.pending).toBe(0);
  });
});

test('an invalid list is an error, and an invalid entry is left out', async () => {
  const peer = createPeer();
  const client = await connected(peer);
  const wrong = client.listAll('tools/list', 'tools');
  peer.say({ id: 2, result: { tools: 'all of them' } });
  await expect(wrong).rejects.toThrow('The server responded to tools/list without an array of tools.');
  const odd = client.listAll('tools/list', 'tools');
  peer.say({ id: 3, result: { tools: [null, 5, { name: 'add' }] } });
  expect(await odd).toEqual([{ name: 'add' }]);
});

test('ping gets a response; all other requests of the server are rejected', async () => {
  const peer = createPeer();
  await connected(peer);
  peer.say({ id: 'a', method: 'ping' });
  peer.say({ id: 'b', method: 'roots/list' });
  expect(peer.sent.slice(1)).toEqual([
    { id: 'a', result: {} },
    { id: 'b', error: { code: -32601, message: 'Unknown method "roots/list".' } },
  ]);
});

test('no request times out while the user responds to an elicitation', async () => {
  const peer = createPeer();
  let answer = (_result: Readonly<Record<string, unknown>>): void => {};
  const client = await connected(peer, {
    answerMs: 100,
    answerers: {
      'elicitation/create': () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    },
  });
  const called = client.request('tools/call', { name: 'x' });
  peer.say({ id: 7, method: 'elicitation/create', params: {} });
  peer.clock.advance(1000);
  answer({ action: 'decline' });
  await settle();
  expect(peer.sent.at(-1)).toEqual({ id: 7, result: { action: 'decline' } });
  peer.say({ id: 2, result: { content: [] } });
  expect(await called).toEqual({ content: [] });
  expect(peer.clock.pending).toBe(0);
});
