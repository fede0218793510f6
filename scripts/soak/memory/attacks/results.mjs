/** Attacks with small requests whose results are large: kept, or never read. */
import { call, initialize, initialized, legacy, modern, request } from '../wire.mjs';

const RESULT_BYTES = 4_000_000;
/** A byte that a server makes costs it less than one that it reads. */
const RESULT_COST = RESULT_BYTES / 2;

/** Tasks with results of 4 MB that nobody asks for. */
export function taskResults(run) {
  return run.repeat(4, async () => {
    await run.pace(RESULT_COST);
    const target = run.nextTarget();
    await run.ask(target, call(target, 'large_job', { bytes: RESULT_BYTES }));
  });
}

/** Results of 4 MB in streams of sessions that their client has left: kept for Last-Event-ID. */
export function events(run) {
  return run.repeat(4, async () => {
    await run.pace(RESULT_COST);
    const target = run.nextTarget();
    const session = await run.openSession(target);
    if (session === undefined) return;
    for (let id = 1; id <= 8; id += 1) {
      await run.pace(RESULT_COST);
      const params = {
        name: 'large_stream',
        arguments: { bytes: RESULT_BYTES, ms: 50 },
        _meta: { progressToken: id },
      };
      const parts = legacy(target, { jsonrpc: '2.0', id, method: 'tools/call', params }, { session });
      await run.ask(target, parts, { until: /notifications\/progress/ });
    }
  });
}

/** Results of 4 MB that nobody reads; every third connection asks for four at once. */
export function unread(run) {
  return run.repeat(600, async (index) => {
    const calls = index % 3 === 0 ? 4 : 1;
    await run.pace(RESULT_COST * calls);
    const target = run.nextTarget();
    const parts = modern(target, {
      method: 'tools/call',
      name: 'large',
      params: { name: 'large', arguments: { bytes: RESULT_BYTES } },
      headers: [],
    });
    await run.ask(target, Array.from({ length: calls }, () => parts).flat(), { isRead: false });
  });
}

/** Batches of 2025-03-26: a hundred results in one response. */
export function batches(run) {
  return run.repeat(4, async () => {
    await run.pace(10 * RESULT_COST);
    const target = run.nextTarget();
    const version = '2025-03-26';
    const session = await run.openSession(target, { version });
    if (session === undefined) return;
    const params = { name: 'large', arguments: { bytes: RESULT_BYTES } };
    const batch = Array.from({ length: 100 }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params,
    }));
    await run.ask(target, legacy(target, batch, { session, version }), { isRead: false });
  });
}

/** Clients of 2024-11-05 that never read their stream. */
export function deafStreams(run) {
  return run.repeat(50, async () => {
    await run.pace(RESULT_COST);
    const target = run.nextTarget();
    const stream = run.connect(target);
    stream.send(request(target, { method: 'GET', path: '/sse' }));
    await stream.heard(/sessionId=\S+\s/);
    const path = /data: (?<path>\S+)/.exec(stream.head)?.groups?.path;
    if (path === undefined) return;
    stream.stopReading();
    await run.ask(target, initialize(target, { version: '2024-11-05', path }));
    await run.ask(target, initialized(target, { path }));
    for (let id = 1; id <= 3; id += 1) {
      await run.pace(RESULT_COST);
      const params = { name: 'large', arguments: { bytes: RESULT_BYTES } };
      await run.ask(target, legacy(target, { jsonrpc: '2.0', id, method: 'tools/call', params }, { path }));
    }
    await run.hold(stream);
  });
}

/** A file of 400 MB, read by four at once. */
export function file(run) {
  return run.repeat(4, async (index) => {
    await run.pace(RESULT_COST);
    const target = run.nextTarget();
    const uri = index % 2 === 0 ? 'files://large.txt' : 'files://large.bin';
    await run.ask(target, modern(target, { method: 'resources/read', name: uri, params: { uri } }));
  });
}
