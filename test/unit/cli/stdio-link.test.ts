import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Link, RpcMessage } from '../../../src/client/link.ts';
import { ServerProcess } from '../../../src/client/server-process.ts';
import { linkToCommand } from '../../../src/client/stdio-link.ts';
import { FakeClock } from '../../support/fake-clock.ts';

/** A server that does not exit when its input ends. While it lives, its connection to the test is open. */
const STAYS = (port: number, more = ''): string =>
  `const socket = require('node:net').connect(${port}, '127.0.0.1'); setInterval(() => {}, 1e6); ${more}`;

/** Waits until the server reports that it lives. */
async function listen(): Promise<{ port: number; connected: Promise<Socket>; close: () => void }> {
  const net = createServer();
  const connected = once(net, 'connection').then(([socket]) => (socket as Socket).resume());
  net.listen(0, '127.0.0.1');
  await once(net, 'listening');
  return { port: (net.address() as AddressInfo).port, connected, close: () => void net.close() };
}

/** As a user would write it who sets something up first. */
const throughShell = (script: string): readonly [string, ...string[]] => [
  'sh',
  '-c',
  '"$0" -e "$1"; true',
  process.execPath,
  script,
];

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('closing', () => {
  test('ends what a shell in between has started, after the server had its time to leave', async () => {
    const { port, connected, close } = await listen();
    const clock = new FakeClock();
    const link = linkToCommand(throughShell(STAYS(port)), { clock });
    const gone = once(await connected, 'close');
    const closed = link.close();
    clock.advance(3000);
    await gone;
    await closed;
    close();
  });

  test('asks before it uses force', async () => {
    const { port, connected, close } = await listen();
    const clock = new FakeClock();
    const stubborn = STAYS(
      port,
      `process.on('SIGTERM', () => socket.write('asked')); socket.write('ready');`,
    );
    const link = linkToCommand(throughShell(stubborn), { clock });
    const socket = await connected;
    await once(socket, 'data');
    const asked = once(socket, 'data');
    const closed = link.close();
    clock.advance(3000);
    expect(String((await asked)[0])).toBe('asked');
    const gone = once(socket, 'close');
    clock.advance(2000);
    await gone;
    await closed;
    close();
  });

  test('does not wait when it has to be at once', async () => {
    const { port, connected, close } = await listen();
    const link = linkToCommand(throughShell(STAYS(port)), { clock: new FakeClock() });
    const gone = once(await connected, 'close');
    await link.stop();
    await gone;
    close();
  });

  test('ends what a command has left behind when it ended', async () => {
    const { port, connected, close } = await listen();
    const clock = new FakeClock();
    const server = new ServerProcess(['sh', '-c', '"$0" -e "$1" & exit 0', process.execPath, STAYS(port)], {
      clock,
    });
    const gone = once(await connected, 'close');
    if (server.child.exitCode === null) await once(server.child, 'exit');
    await settle();
    clock.advance(1000);
    expect(await server.ended).toEqual({ reason: 'it ended with code 0' });
    await server.end();
    await gone;
    close();
  });

  test('is over at once for what could not be started', async () => {
    const link = linkToCommand(['no-such-command-here'], { clock: new FakeClock() });
    const reason = await ended(link);
    expect(reason).toBe('no-such-command-here: it cannot be started (ENOENT).');
    await link.close();
  });
});

/** Resolves to the reason for the end of the link. */
function ended(link: Link): Promise<string> {
  return new Promise((resolve) => {
    link.onEnd = ({ message }) => resolve(message);
  });
}

/** Ends immediately; the rest of its output comes after its end is known. */
const endsFirst = (words: string): readonly [string, ...string[]] => [
  'sh',
  '-c',
  `parent=$$; (while kill -0 $parent 2>/dev/null; do :; done; ${words}) & exit 4`,
];

describe('last output of a server', () => {
  test('is read, although it has ended', async () => {
    const link = linkToCommand(endsFirst('echo no licence >&2'));
    expect(await ended(link)).toMatch(/: it ended with code 4\. Standard error:\nno licence$/);
    await link.close();
  });

  test('may be an answer', async () => {
    const link = linkToCommand(endsFirst(`echo '{"jsonrpc":"2.0","id":1,"result":{}}'`));
    const heard: (RpcMessage | string)[] = [];
    link.onMessage = (message) => void heard.push(message);
    heard.push(await ended(link));
    expect(heard).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      expect.stringMatching(/: it ended with code 4\.$/),
    ]);
    await link.close();
  });

  test.each(['nonsense', 'null', '5'])('is no message: %s', async (line) => {
    const link = linkToCommand(['sh', '-c', `echo ${line}; cat >/dev/null`]);
    expect(await ended(link)).toMatch(
      new RegExp(`: it wrote a line that is not a JSON-RPC message to standard output: ${line}\\.$`),
    );
    await link.close();
  });
});

test('messages about a command omit its options, which may contain secrets', async () => {
  const link = linkToCommand([process.execPath, '-e', 'process.exit(3)', '--', '--key', 'SECRET']);
  const error = await new Promise<Error>((resolve) => {
    link.onEnd = resolve;
  });
  expect(error.message).toBe(`${process.execPath} \u2026: it ended with code 3.`);
});
