import { describe, expect, test } from 'vitest';
import { EventReader, RawSession } from '../../support/raw-http.ts';
import type { Json } from '../../support/raw-peer.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { SharedNodes } from '../../support/shared-nodes.ts';

const CHANGED = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
const textOf = (message: Json | undefined): unknown =>
  (message?.['result'] as { content: { text: string }[] } | undefined)?.content[0]?.text;

/** The same session at each of the nodes. */
async function openAt(nodes: SharedNodes): Promise<RawSession[]> {
  const session = await RawSession.open(nodes.urlOf(0));
  return nodes.running.map(({ url }) => session.at(url));
}

describe('a stream of a shared session', () => {
  test('is resumed at another node while its call still runs', async () => {
    await using nodes = await SharedNodes.start(3);
    const [first, second, third] = (await openAt(nodes)) as [RawSession, RawSession, RawSession];
    const key = crypto.randomUUID();
    const before = new EventReader(await first.call('count_up', { key }));
    const seen = await before.nextMessage();
    expect(seen?.message).toMatchObject({ params: { progress: 1 } });
    const after = await second.listen(seen?.id);
    // The connection at the first node ends: the client has moved.
    while ((await before.next()) !== undefined) continue;
    const next = await after.nextMessage();
    expect(next?.message).toMatchObject({ params: { progress: 2 } });
    const last = await third.listen(next?.id);
    expect((await last.nextMessage())?.message).toMatchObject({ params: { progress: 3 } });
    expect(await after.nextMessage()).toMatchObject({ message: { params: { progress: 3 } } });
    expect(await after.next()).toBeUndefined();
    await first.call('go_on', { key });
    expect(textOf((await last.nextMessage())?.message)).toBe('counted');
    expect(await last.next()).toBeUndefined();
  });

  test('is resumed at another node after its call has ended', async () => {
    await using nodes = await SharedNodes.start(2);
    const [first, second] = (await openAt(nodes)) as [RawSession, RawSession];
    const key = crypto.randomUUID();
    const before = new EventReader(await first.call('let_go', { key }));
    const primed = await before.next();
    expect(await before.next()).toBeUndefined();
    await first.call('go_on', { key });
    const after = await second.listen(primed?.id);
    expect(textOf((await after.nextMessage())?.message)).toBe('gone on');
    expect(await after.next()).toBeUndefined();
  });

  test('ends with an error if the node that runs the call has stopped', async () => {
    const clock = new FakeClock();
    await using nodes = await SharedNodes.start(2, { clock });
    const [first, second] = (await openAt(nodes)) as [RawSession, RawSession];
    const before = new EventReader(await first.call('count_up', { key: 'never' }));
    const { id = '' } = (await before.nextMessage()) ?? {};
    const running = await second.listen(id);
    expect((await running.nextMessage())?.message).toMatchObject({ params: { progress: 2 } });
    // The same session and request, and a stream that no node writes.
    const [key, , request] = id.split('-');
    const lost = await second.listen(`${key}-00000000000000000000000000000000-${request}`);
    clock.advance(2000);
    expect((await lost.nextMessage())?.message).toEqual({
      jsonrpc: '2.0',
      id: 1002,
      error: {
        code: -32603,
        message:
          'Internal error: the machine that handled the request has stopped. The request may have had effects.',
      },
    });
    expect(await lost.next()).toBeUndefined();
    // The other stream has been confirmed.
    expect((await running.nextMessage())?.message).toMatchObject({ params: { progress: 3 } });
    await running.cancel();
    await first.delete();
  });

  test('gives nothing of the streams of another session', async () => {
    await using nodes = await SharedNodes.start(2);
    const [mine] = (await openAt(nodes)) as [RawSession, RawSession];
    const [, other] = (await openAt(nodes)) as [RawSession, RawSession];
    const key = crypto.randomUUID();
    const before = new EventReader(await mine.call('count_up', { key }));
    const seen = await before.nextMessage();
    const stolen = await other.listen(seen?.id);
    nodes.servers[0]?.announceChange('tools');
    expect((await stolen.nextMessage())?.message).toEqual(CHANGED);
    await mine.call('go_on', { key });
    for (let left = 2; left > 0; left -= 1) await before.nextMessage();
    expect(textOf((await before.nextMessage())?.message)).toBe('counted');
    await stolen.cancel();
  });

  test('is at the node where the client listened last, and has what was sent before', async () => {
    await using nodes = await SharedNodes.start(3);
    const [first, second, third] = (await openAt(nodes)) as [RawSession, RawSession, RawSession];
    // Between the handshake and the first stream.
    nodes.servers[2]?.announceChange('prompts');
    const one = await second.listen();
    expect((await one.nextMessage())?.message['method']).toBe('notifications/prompts/list_changed');
    const two = await third.listen();
    expect(await one.nextMessage()).toBeUndefined();
    // The changes that the second node did not hear of, if it had stopped.
    const methods: unknown[] = [];
    for (let left = 3; left > 0; left -= 1) methods.push((await two.nextMessage())?.message['method']);
    expect(methods).toEqual([
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/resources/list_changed',
    ]);
    nodes.servers[0]?.announceChange('tools');
    const heard = await two.nextMessage();
    expect(heard?.message).toEqual(CHANGED);
    await two.cancel();
    nodes.servers[1]?.announceChange('tools');
    const three = await first.listen(heard?.id);
    expect((await three.nextMessage())?.message).toEqual(CHANGED);
    await three.cancel();
  });

  test('ends at all nodes when the session is deleted at one, and so do its calls', async () => {
    await using nodes = await SharedNodes.start(3);
    const [first, second, third] = (await openAt(nodes)) as [RawSession, RawSession, RawSession];
    const events = await second.listen();
    const key = crypto.randomUUID();
    const hanging = new EventReader(await first.call('hang', { key }));
    expect((await hanging.nextMessage())?.message).toMatchObject({ method: 'notifications/progress' });
    expect((await third.delete()).status).toBe(204);
    expect(await events.nextMessage()).toBeUndefined();
    const other = await RawSession.open(nodes.urlOf(0));
    expect(textOf((await (await other.call('await_stop', { key })).json()) as Json)).toBe('AbortError');
    for (const session of [first, second, third]) {
      expect((await session.listen()).status).toBe(404);
      expect((await session.call('echo', { text: 'a' })).status).toBe(404);
      expect((await session.delete()).status).toBe(404);
    }
    // What is left in the store is that it has ended.
    expect(nodes.state.size).toBe(2);
  });
});
