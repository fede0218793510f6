import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ATTACKS, attackMemory, formatMemory, memoryFigures } from '../../scripts/soak/memory/index.mjs';
import { ROOT } from '../support/dist.ts';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { weakenedApp } from './support/weakened-app.ts';
import { writeModern } from './support/messages.ts';
import { isLong, promise } from './support/promise.ts';

const SERVER = join(ROOT, 'scripts/soak/memory/server.mjs');

/** All attacks at once, on a server with a heap of 256 MB. The long form: `npm run soak -- --only memory`. */
async function expectUnharmed(attacks: readonly string[], without: readonly Weakness[]): Promise<void> {
  const found = await attackMemory({
    attacks,
    seconds: isLong ? 60 : 8,
    keptMs: isLong ? 20_000 : 6000,
    // In such a short time, the usual rate could fit into the heap without any budget.
    ...(without.length > 0 ? { bytesPerSecond: 160_000_000 } : {}),
    server: await weakenedApp(SERVER, without),
  });
  const isTimed = isLong;
  const broken = memoryFigures(found, { isTimed }).filter(([, , , holds]) => !holds);
  expect(
    broken.map(([what, value, promised]) => `${what}: ${value} (promised: ${promised})`),
    formatMemory(found, { isTimed }),
  ).toEqual([]);
}

/** All of its results together take 2 GB. */
const MAX_BURST_MB = 1000;

const BURST = 'results of megabytes that many ask for in one moment, and nobody reads';

/**
 * The call waits behind the large results of all others, on a busy machine: the test is whether the server survives, not how fast it is.
 */
const PATIENCE_MS = 120_000;

/** The paced attacks above leave the server time to end connections. Here all requests come at once. */
async function expectBurstSurvived(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('large-results-http.mjs', {
    without,
    execArgv: ['--max-old-space-size=256'],
  });
  const { headers, body } = writeModern('tools/call', { name: 'large', arguments: {} });
  const lines = Object.entries({ Host: 'localhost', ...headers, 'Content-Length': body.length });
  const request = `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
  for (let count = 0; count < 500; count += 1) {
    const socket = connect(server.port, '127.0.0.1').pause();
    socket.on('error', () => {});
    socket.write(request);
    onTestFinished(() => void socket.destroy());
  }
  const small = writeModern('tools/call', { name: 'small', arguments: {} });
  const ended = server.ended.then(({ signal }) => `the server: ${signal ?? 'ended'}`);
  const send = async (): Promise<string> => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`http://127.0.0.1:${server.port}/mcp`, { method: 'POST', ...small, signal });
    return `${response.status} ${await response.text()}`;
  };
  for (let count = 0; count < 20; count += 1) {
    const answer = await Promise.race([send().catch(String), ended]);
    expect(answer.slice(0, 80), 'the answer to a small call').toMatch(/^200 |^503 /);
  }
  const { peakBytes } = await server.usage();
  expect(peakBytes / 1e6, 'MB at most').toBeLessThan(MAX_BURST_MB);
}

promise('memory is budgeted', {
  timeoutMs: 180_000,
  checks: {
    'every attack at once': (without) => expectUnharmed(Object.keys(ATTACKS), without),
    [BURST]: expectBurstSurvived,
  },
  switches: [
    {
      defence: 'responses that count until they are sent',
      off: [
        { module: 'transport/http/faces/unread-responses.js', defence: 'count-of-unread-responses' },
        { module: 'pipeline/handle-call.js', defence: 'room-for-a-result', by: 'return true;' },
      ],
      check: BURST,
      // Since Node 24, unread responses are not in the heap: the server does not end, and takes all memory of the machine.
      red: /the answer to a small call: expected '(?:the server: SIGABRT|TypeError: fetch failed)|MB at most/,
    },
    {
      defence: 'the memory budget',
      off: [{ module: 'base/memory/memory-budget.js', defence: 'memory-budget', by: 'return true;' }],
      check: 'every attack at once',
      red: /the server: SIGABRT|heap and external memory at their highest/,
    },
  ],
});
