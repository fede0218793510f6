import { connect } from 'node:net';
import { expect } from 'vitest';
import { ChildServer } from './support/child-server.ts';
import type { Weakness } from './support/weaken.ts';
import { draw, SEED } from './support/draw.ts';
import { fuzzCases } from './support/fuzz-cases.ts';
import type { FuzzCase } from './support/fuzz-cases.ts';
import { toRequest, toWire } from './support/fuzz-request.ts';
import type { Sessions } from './support/fuzz-request.ts';
import { openLegacy } from './support/messages.ts';
import { Poster } from './support/poster.ts';
import type { PostAnswer } from './support/poster.ts';
import { isLong, promise } from './support/promise.ts';

const CASES = isLong ? 200_000 : 10_000;
const AT_ONCE = 8;
/** For runs with a defence turned off. */
const FEW_CASES = 1000;
/** Number of cases kept in memory at a time. */
const PART = 10_000;

const PARSED_OUTSIDE: Weakness = {
  module: 'wire/messages/decode.js',
  defence: 'response-to-no-json',
  by: "throw new Error('no JSON');",
};

promise('no input crashes or hangs the HTTP server', {
  checks: { 'however a message is mutated': check },
  timeoutMs: isLong ? 1_800_000 : 120_000,
  switches: [
    {
      defence: 'a response to invalid JSON',
      off: [PARSED_OUTSIDE],
      red: /inputs that were not answered well[^]*status 500/,
    },
    {
      defence: 'the last error handler',
      off: [PARSED_OUTSIDE, { module: 'transport/http/http-endpoint.js', defence: 'last-catch' }],
      red: /the server crashed|unanswered/,
    },
  ],
});

async function check(without: readonly Weakness[]): Promise<void> {
  const server = await ChildServer.listen('fuzzed-http.mjs', { without });
  const poster = new Poster(server.port, AT_ONCE);
  const sessions: Sessions = {
    legacy: await sessionOf(poster, '2025-11-25'),
    batch: await sessionOf(poster, '2025-03-26'),
  };
  const total = without.length === 0 ? CASES : FEW_CASES;
  let mutated = 0;
  for (let part = 0; part * PART < total; part += 1) {
    const cases = draw(fuzzCases, Math.min(PART, total), part);
    mutated += cases.filter(({ kind }) => kind === 'mutated').length;
    const faults = await sendAll(cases, { server, poster, sessions, firstId: part * PART });
    const said = `(seed ${SEED}): ${faults.join('\n')}\n${server.stderr.slice(-2000)}`;
    expect(await isUp(poster), `the server crashed ${said}`).toBe(true);
    expect(faults.length, `inputs that were not answered well ${said}`).toBe(0);
  }
  expect(mutated / total, 'the share that begins as a valid message').toBeGreaterThanOrEqual(0.5);
  const answer = server.hear<{ handled: number }>('handled');
  server.process.send('handled');
  expect((await answer).handled / total, 'the share that reaches a handler').toBeGreaterThanOrEqual(0.3);
}

interface Sending {
  readonly server: ChildServer;
  readonly poster: Poster;
  readonly sessions: Sessions;
  readonly firstId: number;
}

/** Sends several requests at once; returns the first few failures. */
async function sendAll(
  cases: readonly FuzzCase[],
  { server, poster, sessions, firstId }: Sending,
): Promise<string[]> {
  const faults: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < cases.length && faults.length < 3 && server.isAlive) {
      const index = next;
      const fuzz = cases[index];
      next += 1;
      if (fuzz === undefined) return;
      const fault = await send(fuzz, index).catch(String);
      if (fault !== undefined) faults.push(`${fault} for ${JSON.stringify(fuzz).slice(0, 1000)}`);
    }
  };
  const send = async (fuzz: FuzzCase, index: number): Promise<string | undefined> =>
    fuzz.kind === 'wire'
      ? faultOfWire(await sendWire(server.port, toWire(fuzz)))
      : faultOf(await poster.send(toRequest(fuzz, sessions, firstId + index)));
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return faults;
}

function faultOf({ status, type, text }: PostAnswer): string | undefined {
  if (status >= 500 || status < 200) return `status ${status} with ${text.slice(0, 300)}`;
  if (text === '') return undefined;
  // The landing page.
  if (status === 200 && type === 'text/html; charset=utf-8' && text.endsWith('</html>\n')) return undefined;
  const events = text.split('\n').filter((line) => line.startsWith('data: {'));
  const messages = type.startsWith('text/event-stream') ? events.map((line) => line.slice(6)) : [text];
  try {
    for (const message of messages) JSON.parse(message);
    return undefined;
  } catch {
    return `a body that is not valid JSON: ${text.slice(0, 300)}`;
  }
}

/** Sends bytes and nothing after them; resolves to the response, up to the end of the connection. */
function sendWire(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const timer = setTimeout(() => socket.destroy(new Error('unanswered in 3 s')), 3000);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // Closing the connection on half a request is a valid response.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
    socket.end(bytes);
  });
}

function faultOfWire(text: string): string | undefined {
  return text === '' || /^HTTP\/1\.1 [1234]\d\d /.test(text)
    ? undefined
    : `an answer like ${text.slice(0, 100)}`;
}

function isUp(poster: Poster): Promise<boolean> {
  return poster.send({ method: 'GET', path: '/health', headers: {} }).then(
    ({ status }) => status === 200,
    () => false,
  );
}

async function sessionOf(poster: Poster, version: string): Promise<string> {
  const write = await openLegacy(poster, version);
  return write('ping', {}).headers['Mcp-Session-Id'] ?? '';
}
