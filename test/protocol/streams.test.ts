import { describe, expect } from 'vitest';
import * as z from 'zod';
import { defineTool } from '../../src/index.ts';
import { requirement } from './requirement.ts';
import { openSession } from './support/legacy-http.ts';
import type { LegacyHttp } from './support/legacy-http.ts';
import type { RawEvent, RawStream } from './support/raw-http.ts';
import { legacyMessage } from './support/rpc.ts';
import type { RpcMessage } from './support/rpc.ts';
import { startHttp } from './support/sample.ts';
import type { HttpSample, Sample } from './support/sample.ts';

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'];

let count = 0;

function changeTools({ server }: Sample): void {
  count += 1;
  const name = `extra_${count}`;
  server.tools?.register(
    defineTool({ name, description: 'Extra', inputSchema: z.object({}), handler: () => '' }),
  );
}

const messageOf = ({ data }: RawEvent): RpcMessage => JSON.parse(data ?? '') as RpcMessage;

/** The next event with a message: not one that only has an id for resuming. */
async function nextTold({ events }: RawStream): Promise<RawEvent> {
  for (;;) {
    const event = await events.next();
    if (event.data !== '') return event;
  }
}

/** A call that reports progress and then waits at the gate. */
async function openLoud(sample: HttpSample, session: LegacyHttp, id: string): Promise<RawStream> {
  const params = { name: 'wait', arguments: { name: id, isLoud: true }, _meta: { progressToken: id } };
  const stream = await session.open(legacyMessage('tools/call', params, id));
  await sample.gate.started.next();
  return stream;
}

describe('the stream of a session', () => {
  requirement(
    ['streams:get', 'streams:news'],
    'GET opens a stream that tells of changes, and answers nothing',
    async () => {
      await using sample = await startHttp();
      for (const version of VERSIONS) {
        const session = await openSession(sample.http, { version });
        const refused = await sample.http.send({
          method: 'GET',
          headers: { ...session.headers, Accept: 'application/json' },
        });
        expect([version, refused.status]).toEqual([version, 406]);
        const stream = await session.listen();
        expect([stream.status, stream.headers['content-type'], stream.headers['x-accel-buffering']]).toEqual([
          200,
          'text/event-stream',
          'no',
        ]);
        expect((await session.request('tools/list')).result?.tools).toBeDefined();
        changeTools(sample);
        expect(messageOf(await nextTold(stream))).toEqual({
          jsonrpc: '2.0',
          method: 'notifications/tools/list_changed',
        });
        sample.server.prompts?.addPrompt({ name: `p_${version}`, template: 'x' });
        expect(messageOf(await nextTold(stream)).method).toBe('notifications/prompts/list_changed');
        sample.server.resources?.addResource({ uri: `x://${version}`, name: 'x', text: 'x' });
        expect(messageOf(await nextTold(stream)).method).toBe('notifications/resources/list_changed');
        await session.leave();
      }
    },
  );

  requirement('streams:once', 'a message goes over one stream only', async () => {
    await using sample = await startHttp();
    const session = await openSession(sample.http);
    const listening = await session.listen();
    const call = await openLoud(sample, session, 'call');
    changeTools(sample);
    expect(messageOf(await nextTold(listening)).method).toBe('notifications/tools/list_changed');
    sample.gate.open();
    await call.events.ended;
    const told = (await call.events.rest()).filter(({ data }) => data !== '').map(messageOf);
    expect(told.map(({ id, method }) => id ?? method)).toEqual([
      'notifications/progress',
      'notifications/progress',
      'call',
    ]);
    const other = await openSession(sample.http);
    const theirs = await other.listen();
    sample.server.resources?.notifyUpdated('docs://manual');
    changeTools(sample);
    expect(messageOf(await nextTold(theirs)).method).toBe('notifications/tools/list_changed');
    expect(messageOf(await nextTold(listening)).method).toBe('notifications/tools/list_changed');
  });

  requirement('streams:event-ids', 'events have ids that are unique in the session', async () => {
    await using sample = await startHttp();
    for (const version of VERSIONS) {
      const session = await openSession(sample.http, { version });
      const listening = await session.listen();
      const calls = [await openLoud(sample, session, 'a'), await openLoud(sample, session, 'b')];
      changeTools(sample);
      const events = [await nextTold(listening)];
      sample.gate.open();
      for (const call of calls) events.push(...(await call.events.rest()));
      const ids = events.map(({ id }) => id);
      expect(ids.every((id) => typeof id === 'string' && id !== '')).toBe(true);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  requirement('streams:priming', 'streams begin with something to come back to, in 2025-11-25', async () => {
    await using sample = await startHttp();
    for (const version of VERSIONS) {
      const session = await openSession(sample.http, { version });
      const call = await openLoud(sample, session, 'call');
      const [first] = [await call.events.next()];
      if (version === '2025-11-25') {
        expect(first).toMatchObject({ data: '', retry: expect.stringMatching(/^\d+$/) as string });
        expect(first.id).toMatch(/./);
        const listening = await session.listen();
        expect(await listening.events.next()).toMatchObject({ data: '', retry: '1000' });
      } else {
        expect(messageOf(first).method).toBe('notifications/progress');
        expect(first).not.toHaveProperty('retry');
      }
      sample.gate.open();
      await call.events.ended;
    }
  });
});

describe('coming back', () => {
  requirement(
    ['streams:resume', 'streams:response-ends'],
    'a client gets what it missed, of that stream and in order, and the response ends it',
    async () => {
      await using sample = await startHttp();
      for (const version of VERSIONS) {
        const session = await openSession(sample.http, { version });
        const call = await openLoud(sample, session, 'call');
        const other = await openLoud(sample, session, 'other');
        const seen = await nextTold(call);
        expect(messageOf(seen).params).toMatchObject({ progress: 1 });
        call.close();
        changeTools(sample);
        const resumed = await session.listen(seen.id);
        sample.gate.open();
        await resumed.events.ended;
        const missed = await resumed.events.rest();
        expect([version, missed.map(messageOf)]).toMatchObject([
          version,
          [
            { method: 'notifications/progress', params: { progress: 2 } },
            { id: 'call', result: { content: [{ type: 'text', text: 'went on' }] } },
          ],
        ]);
        await other.events.ended;
        // Resumed again after the end: the response is still available after each event.
        const again = await session.listen(missed[0]?.id);
        await again.events.ended;
        expect((await again.events.rest()).map(({ id }) => id)).toEqual([missed[1]?.id]);
        await session.leave();
      }
    },
  );

  requirement(
    'streams:poll',
    'a server closes the connection early, and the answer waits for the client',
    async () => {
      await using sample = await startHttp();
      const session = await openSession(sample.http);
      const call = await session.open(legacyMessage('tools/call', { name: 'leave' }, 'polled'));
      await sample.gate.started.next();
      await call.events.ended;
      const [primed, ...rest] = await call.events.rest();
      expect([primed?.data, primed?.retry, rest]).toEqual(['', '1000', []]);
      const early = await session.listen(primed?.id);
      sample.gate.open();
      expect(messageOf(await nextTold(early))).toMatchObject({
        id: 'polled',
        result: { content: [{ text: 'come back' }] },
      });
      await early.events.ended;
      const late = await session.listen(primed?.id);
      expect(messageOf(await nextTold(late)).id).toBe('polled');

      const older = await openSession(sample.http, { version: '2025-06-18' });
      const kept = older.post(legacyMessage('tools/call', { name: 'leave' }, 'kept'));
      await sample.gate.started.next();
      sample.gate.open();
      expect((await kept).json.id).toBe('kept');
    },
  );

  requirement(
    'streams:resume',
    'what was told while nobody listened waits, and nothing is told twice',
    async () => {
      await using sample = await startHttp();
      const session = await openSession(sample.http, { version: '2025-06-18' });
      changeTools(sample);
      const first = await session.listen();
      const seen = await nextTold(first);
      expect(messageOf(seen).method).toBe('notifications/tools/list_changed');
      first.close();
      sample.server.prompts?.addPrompt({ name: 'while_away', template: 'x' });
      const second = await session.listen(seen.id);
      expect(messageOf(await nextTold(second)).method).toBe('notifications/prompts/list_changed');
      sample.server.resources?.addResource({ uri: 'x://new', name: 'x', text: 'x' });
      expect(messageOf(await nextTold(second)).method).toBe('notifications/resources/list_changed');

      // The events of one session are not available to another.
      const other = await openSession(sample.http, { version: '2025-06-18' });
      const strange = await other.listen(seen.id);
      changeTools(sample);
      expect(messageOf(await nextTold(strange)).method).toBe('notifications/tools/list_changed');
    },
  );
});
