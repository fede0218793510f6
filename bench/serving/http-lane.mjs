import { readFileSync } from 'node:fs';
import { Child } from './child.mjs';
import { openSessions, toHttpRequests } from './http-requests.mjs';
import { isCallAnswer, isListAnswer, isStreamAnswer } from './load/checks.mjs';
import { HttpLoad } from './load/http-load.mjs';
import { measureChild } from './measure-child.mjs';
import { callMessages, listMessage } from './messages.mjs';
import { quick } from './settings.mjs';

/** Connections for calls, each with one request at a time, and the number of sessions of 2025-11-25 that they share. */
const CONNECTIONS = 16;
/** For lists: a few that take 200 ms each are enough. */
const LIST_CONNECTIONS = quick ? 1 : 4;
/** Share of the time for the lists of peers: they take thousands of times as long as ours. */
const PEER_LIST_SHARE = 0.4;

/**
 * Calls, lists or streams of one contender over HTTP.
 *
 * @param {object} options
 * @param {string} options.name
 * @param {string} options.file the server
 * @param {import('./servers/specification.mjs').Specification} options.specification
 * @param {'call' | 'list' | 'stream'} [options.kind]
 * @returns {import('./group.mjs').Lane}
 */
export function httpLane({ name, file, specification, kind = 'call' }) {
  return { name, start: () => startHttp({ name, file, specification, kind }) };
}

async function startHttp({ name, file, specification, kind }) {
  const child = await Child.start(file, specification);
  const load = await createLoad({ name, port: child.port, token: child.token, kind, ...specification });
  const measure = async (ms) => {
    await load.connect();
    // The first requests of a connection cost more than the others; for a list that does not matter.
    if (kind !== 'list') await load.run({ ms: 30 });
    const measured = await measureChild(child, () => load.run({ ms }), ms);
    load.disconnect();
    return measured;
  };
  const share = kind === 'list' && !['ours', 'floor'].includes(name) ? PEER_LIST_SHARE : 1;
  return {
    child,
    load,
    warm: measure,
    measure: (ms) => measure(ms * share),
    close: async () => {
      load.disconnect();
      await child.stop();
    },
  };
}

/** Also for rows that measure more than time. */
export async function createLoad({ name, port, kind = 'call', size, catalogue, era, file, token }) {
  const connections = kind === 'list' ? LIST_CONNECTIONS : CONNECTIONS;
  const sessions = era === 'legacy' ? await openSessions(port, connections) : [];
  const messages =
    kind === 'list' ? [listMessage(era)] : callMessages(size, era, { reports: kind === 'stream', catalogue });
  // Toolwright and the baseline must send the same bytes.
  const bytes = name === 'ours' && file !== undefined ? readFileSync(file) : undefined;
  const check = { call: isCallAnswer, stream: isStreamAnswer, list: isListAnswer }[kind](name, {
    size,
    catalogue,
    bytes,
  });
  return new HttpLoad({
    port,
    connections,
    check,
    requests: toHttpRequests(messages, { port, era, sessions, token }),
  });
}
