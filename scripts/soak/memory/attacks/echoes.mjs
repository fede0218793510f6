/** Attacks that make a server repeat its input: 4 MB in, and more out. */
import { call, FILLED, FILLER, legacy, modern } from '../wire.mjs';

const REQUESTS = [
  (target) => call(target, 'add', { [FILLED]: 1 }),
  (target) => call(target, 'add', { a: FILLED, b: 1 }),
  (target) => call(target, 'large', { bytes: { [FILLED]: {} } }),
  (target) => modern(target, { method: FILLED, params: {} }),
  (target) => modern(target, { method: 'resources/read', params: { uri: FILLED } }),
  (target) => modern(target, { method: 'tasks/get', params: { taskId: FILLED } }),
  (target) => modern(target, { method: 'tools/list', params: { cursor: FILLED } }),
];

/** Requests of earlier revisions, whose headers repeat nothing of the body. */
const LEGACY_REQUESTS = [
  { method: 'tools/call', params: { name: FILLED, arguments: {} } },
  { method: 'tools/call', params: { name: 'add', arguments: { [FILLED]: 1 } } },
  { method: 'resources/read', params: { uri: FILLED } },
  { method: 'prompts/get', params: { name: FILLED } },
  { method: FILLED },
];

/** Errors that repeat keys, names and values. */
export function echoes(run) {
  return run.repeat(4, async (index, turn) => {
    await run.pace(FILLER.length);
    const target = run.nextTarget();
    if (index % 2 === 0) {
      await run.ask(target, REQUESTS[turn % REQUESTS.length](target));
      return;
    }
    const session = await run.openSession(target);
    for (const [id, request] of LEGACY_REQUESTS.entries()) {
      await run.pace(FILLER.length);
      await run.ask(target, legacy(target, { jsonrpc: '2.0', id: id + 1, ...request }, { session }));
    }
  });
}

const TALK = { name: 'talk', arguments: { steps: 20 } };

/** Ids and progress tokens of 4 MB, which every message about the request contains. */
export function tokens(run) {
  return run.repeat(20, async (index) => {
    await run.pace(2 * FILLER.length);
    const target = run.nextTarget();
    const way = index % 3;
    if (way === 0) {
      const meta = { progressToken: FILLED };
      await run.ask(target, modern(target, { method: 'tools/call', name: 'talk', params: TALK, meta }));
    } else if (way === 1) {
      const params = { notifications: { toolsListChanged: true } };
      await run.ask(target, modern(target, { method: 'subscriptions/listen', id: FILLED, params }));
    } else {
      const session = await run.openSession(target);
      const params = { ...TALK, _meta: { progressToken: FILLED } };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      await run.ask(target, legacy(target, message, { session }));
    }
  });
}
