/** Attacks with calls and subscriptions that keep their requests in memory. */
import { call, FILLED, FILLER, legacy, modern } from '../wire.mjs';

/** Duration of a tool call. */
const WORK_MS = 15_000;

/** Calls with arguments of 4 MB, in flight and waiting. */
export function heldArguments(run) {
  return run.repeat(300, async () => {
    await run.pace(FILLER.length);
    const target = run.nextTarget();
    await run.ask(target, call(target, 'hold', { ms: WORK_MS, text: FILLED }));
  });
}

/** Subscriptions whose requests are 4 MB long: in a parameter that has no meaning, or in the description of the client. */
export function listen(run) {
  return run.repeat(100, async (_index, turn) => {
    await run.pace(FILLER.length);
    const target = run.nextTarget();
    const notifications = { toolsListChanged: true };
    const isMeta = turn % 2 === 1;
    const parts = modern(target, {
      method: 'subscriptions/listen',
      params: isMeta ? { notifications } : { notifications, padding: FILLED },
      meta: isMeta ? { 'io.modelcontextprotocol/clientInfo': { name: FILLED, version: '1' } } : {},
    });
    await run.ask(target, parts);
  });
}

/** Calls with arguments of 4 MB that send an elicitation request and never get a response: they are not in flight. */
export function asking(run) {
  return run.repeat(100, async () => {
    await run.pace(FILLER.length);
    const target = run.nextTarget();
    const session = await run.openSession(target, { capabilities: { elicitation: {} } });
    if (session === undefined) return;
    const params = { name: 'ask', arguments: { text: FILLED } };
    await run.ask(
      target,
      legacy(target, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { session }),
    );
  });
}

/** Calls that send an elicitation request, whose response has 4 MB. */
export function answers(run) {
  return run.repeat(100, async () => {
    await run.pace(FILLER.length);
    const target = run.nextTarget();
    const session = await run.openSession(target, { capabilities: { elicitation: {} } });
    if (session === undefined) return;
    const params = { name: 'ask_hold', arguments: { ms: WORK_MS } };
    const connection = run.connect(target);
    connection.send(legacy(target, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { session }));
    await connection.heard(/elicitation\/create/);
    const result = { action: 'accept', content: { name: FILLED } };
    await run.ask(target, legacy(target, { jsonrpc: '2.0', id: 1, result }, { session }));
    await run.hold(connection);
  });
}

/** Calls that are cancelled with a reason of 4 MB, and whose handlers ignore the cancellation. */
export function reasons(run) {
  return run.repeat(100, async () => {
    await run.pace(FILLER.length);
    const target = run.nextTarget();
    const session = await run.openSession(target);
    if (session === undefined) return;
    const params = { name: 'deaf', arguments: { ms: WORK_MS } };
    const connection = run.connect(target);
    connection.send(legacy(target, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { session }));
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 1, reason: FILLED } };
    await run.ask(target, legacy(target, { jsonrpc: '2.0', ...cancelled }, { session }));
    await run.hold(connection);
  });
}

/** Tasks with arguments of 4 MB. */
export function taskArguments(run) {
  return run.repeat(8, async () => {
    await run.pace(FILLER.length);
    const target = run.nextTarget();
    await run.ask(target, call(target, 'job', { ms: WORK_MS, text: FILLED }));
  });
}
