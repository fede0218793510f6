import { expect } from 'vitest';
import { countsOf, seenBy, toBytes, toolCall } from './support/canary.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import type { DebianService } from '../support/debian-service.ts';
import { CANARY, HIDDEN, MALFORMED } from './support/hostile-requests.ts';
import type { HostileRequest } from './support/hostile-requests.ts';
import { promise } from './support/promise.ts';
import { startHaproxy, startNginx } from './support/proxies.ts';
import { RawSocket } from './support/raw-socket.ts';

/** An ordinary call. It closes its connection, so that everything before it has got its response by then. */
function innocentCall(text: string): Buffer {
  const call = toolCall('echo', { text }, text);
  return toBytes({ ...call, fields: [['Host', '127.0.0.1'], ['Connection', 'close'], ...call.fields] });
}

/** The responses on a connection. */
interface Outcome {
  /** Statuses of all responses except that of the innocent call. */
  readonly statuses: readonly number[];
  readonly isClosed: boolean;
  readonly isNextAnswered: boolean;
}

/** Sends a request, and waits until the server has closed the connection. */
async function attack(port: number, { bytes, title }: HostileRequest, isFollowed: boolean): Promise<Outcome> {
  const socket = new RawSocket(port);
  socket.write(bytes);
  if (isFollowed) {
    await socket.until(({ replies: [first] }) => first?.isWhole === true);
    // Not read if the server has already closed the connection.
    socket.write(innocentCall(title));
  }
  await socket.until(({ isClosed }) => isClosed);
  const { replies, isClosed } = socket;
  socket.destroy();
  const others = replies.filter(({ body }) => !body.includes(`"text":"${title}"`));
  return {
    statuses: others.map(({ status }) => status),
    isClosed,
    isNextAnswered: others.length === replies.length - 1,
  };
}

async function expectNoCanary(app: ChildServer, title: string): Promise<void> {
  expect((await countsOf(app))['canary'] ?? 0, `${title}: calls of the canary`).toBe(0);
}

async function checkDirect(without: readonly Weakness[]): Promise<void> {
  const app = await ChildServer.listen('canary-http.mjs', { without });
  expect(MALFORMED, 'malformed requests').toHaveLength(24);
  for (const hostile of MALFORMED) {
    const { identified: before = 0 } = await countsOf(app);
    const { statuses, isClosed } = await attack(app.port, hostile, false);
    await expectNoCanary(app, hostile.title);
    expect(statuses, `${hostile.title}: responses`).toEqual([400]);
    expect(isClosed, `${hostile.title}: the connection is closed`).toBe(true);
    const { identified = 0 } = await countsOf(app);
    expect(identified - before, `${hostile.title}: requests that were let in`).toBeLessThanOrEqual(1);
  }
  await seenBy(app);
  const statusOf = new Map<string, number>();
  for (const hostile of HIDDEN) {
    const { statuses, isNextAnswered } = await attack(app.port, hostile, true);
    await expectNoCanary(app, hostile.title);
    expect(statuses, `${hostile.title}: responses`).toHaveLength(1);
    expect(isNextAnswered, `${hostile.title}: the next call gets its own answer`).toBe(true);
    statusOf.set(hostile.title, statuses[0] ?? 0);
    const [first, ...others] = await seenBy(app);
    expect(first?.body, `${hostile.title}: the body that was read`).toBe(CANARY);
    expect(others.length, `${hostile.title}: requests behind it`).toBe(1);
  }
  expect(Object.fromEntries(statusOf), 'how bodies that look like requests are refused').toEqual({
    'in the body of a GET': 400,
    'in a body that is no JSON': 415,
    'in a body for another host': 403,
    'in a body for a WebSocket': 400,
    'in a body that waits to be let in': 400,
    'in chunks': 400,
  });
  expect((await countsOf(app))['echo'], 'innocent calls that were served').toBe(HIDDEN.length);
}

async function checkBehind(
  startProxy: (port: number) => Promise<DebianService>,
  without: readonly Weakness[],
): Promise<void> {
  const app = await ChildServer.listen('canary-http.mjs', { without });
  const { port } = await startProxy(app.port);
  for (const hostile of [...MALFORMED, ...HIDDEN]) {
    const { title } = hostile;
    const isMalformed = MALFORMED.includes(hostile);
    // A proxy may normalize the request; then it is valid for the server, and the connection stays open.
    const { statuses, isClosed, isNextAnswered } = await attack(port, hostile, true);
    expect(statuses, `${title}: responses`).toHaveLength(1);
    // nginx responds 501 to unknown transfer codings; that is a rejection as well.
    expect(isMalformed ? [400, 501] : [400, 403, 415], `${title}: the response`).toContain(statuses[0]);
    expect(isClosed, `${title}: the connection is closed`).toBe(true);

    // On the same connection between proxy and server: any leftover bytes would get a response first.
    const next = new RawSocket(port);
    next.write(innocentCall('innocent'));
    await next.until((socket) => socket.isClosed);
    const bodies = next.replies.map(({ body }) => JSON.parse(body) as { id: unknown });
    expect(
      bodies.map(({ id }) => id),
      `${title}: what the next client is answered`,
    ).toEqual(['innocent']);

    const seen = await seenBy(app);
    const smuggled = seen.filter(({ mark }) => mark === undefined);
    expect(smuggled, `${title}: requests that the proxy never saw`).toEqual([]);
    expect(seen.length, `${title}: requests that were read`).toBeLessThanOrEqual(isNextAnswered ? 3 : 2);
    await expectNoCanary(app, title);
  }
}

const BODY_IS_READ_AGAIN: Weakness = {
  module: 'transport/http/to-node-handler.js',
  defence: 'framing',
  by: `const [incoming] = arguments;
    const { emit } = incoming;
    incoming.emit = function (event, chunk) {
      if (event === 'data' && chunk.includes('HTTP/1.1'))
        import('node:net').then(({ connect }) => connect(this.socket.localPort, '127.0.0.1').end(chunk));
      return emit.apply(this, arguments);
    };
    $&`,
};

promise('no request is smuggled in', {
  checks: {
    'direct connection': checkDirect,
    'behind nginx': (without) => checkBehind(startNginx, without),
    'behind haproxy': (without) => checkBehind(startHaproxy, without),
  },
  switches: [
    {
      defence: 'the strict parser',
      off: [
        {
          module: 'transport/http/serve-http.js',
          defence: 'time-for-headers',
          by: '$&, insecureHTTPParser: true',
        },
      ],
      red: /a length and chunks: calls of the canary/,
    },
    {
      defence: 'the rejection of chunks in HTTP/1.0',
      off: [
        {
          module: 'transport/http/to-node-handler.js',
          defence: 'no-chunks-in-http-1-0',
          by: 'return undefined;',
        },
      ],
      red: /chunks in HTTP\/1\.0: calls of the canary/,
    },
    ...['behind nginx', 'behind haproxy'].map((check) => ({
      defence: `the rule that a body is no request, ${check}`,
      off: [BODY_IS_READ_AGAIN],
      red: /requests that the proxy never saw|calls of the canary/,
      check,
    })),
  ],
  // The proxies may have to be downloaded first.
  timeoutMs: 120_000,
});
