import { describe, expect, test } from 'vitest';
import { MemoryEventStore } from '../../../src/stores/event-store.ts';
import { MemoryBudget } from '../../../src/base/memory/memory-budget.ts';
import type { EventStore } from '../../../src/stores/event-store.ts';
import { EventStream } from '../../../src/transport/http/legacy/event-stream.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import type { StreamSink } from '../../../src/transport/http/message/http-message.ts';

class Sink implements StreamSink {
  text = '';
  isEnded = false;
  write(chunk: string): void {
    this.text += chunk;
  }
  end(): void {
    this.isEnded = true;
  }
  cut(): void {
    this.isEnded = true;
  }
}

const open = (
  isPrimed = true,
  store: EventStore = new MemoryEventStore(),
  clock = new FakeClock(),
): EventStream =>
  new EventStream({
    id: 's',
    store,
    clock,
    isPrimed,
    owner: async () => 'ada',
    account: new MemoryBudget(1000).anonymous,
  });

describe('a stream of events', () => {
  test('whose messages wait and take up all memory is cut, but its last message is told of', async () => {
    const [stream, sink] = [open(), new Sink()];
    await stream.attach(sink);
    void stream.write('x'.repeat(800));
    void stream.write('y'.repeat(800), '{"instead":1}');
    await stream.write('z');
    expect([sink.text.includes('yyy'), sink.text.includes('{"instead":1}'), sink.isEnded]).toEqual([
      false,
      true,
      false,
    ]);
    void stream.write('x'.repeat(800));
    void stream.write('y'.repeat(800));
    expect(sink.isEnded).toBe(true);
  });

  test('begins with an event for resuming, and numbers the others', async () => {
    const [stream, sink] = [open(), new Sink()];
    await stream.attach(sink);
    await stream.write('{"a":1}');
    await stream.write('{"a":2}');
    await stream.finish();
    expect(sink.text).toBe(
      'id: s_\nretry: 1000\ndata: \n\nid: s_0\ndata: {"a":1}\n\nid: s_1\ndata: {"a":2}\n\n',
    );
    expect(sink.isEnded).toBe(true);
  });

  test('has no such beginning for clients that would not understand it', async () => {
    const [stream, sink] = [open(false), new Sink()];
    await stream.attach(sink);
    await stream.write('{}');
    expect(sink.text).toBe('id: s_0\ndata: {}\n\n');
  });

  test('keeps messages while no client is connected, and delivers them once', async () => {
    const stream = open(false);
    await stream.write('1');
    const [first, second] = [new Sink(), new Sink()];
    await stream.attach(first);
    stream.detach(first);
    await stream.write('2');
    await stream.attach(second);
    expect(first.text).toBe('id: s_0\ndata: 1\n\n');
    expect(second.text).toBe('id: s_1\ndata: 2\n\n');
  });

  test('goes on behind the event that a client has seen', async () => {
    const [stream, first, back] = [open(), new Sink(), new Sink()];
    await stream.attach(first);
    for (const message of ['1', '2', '3']) await stream.write(message);
    await stream.release();
    await stream.write('4');
    await stream.finish();
    await stream.attach(back, 's_1');
    expect(back.text).toBe('id: s_2\ndata: 3\n\nid: s_3\ndata: 4\n\n');
    expect([first.isEnded, back.isEnded]).toEqual([true, true]);
  });

  test('lets the former connection go when the client comes again', async () => {
    const [stream, first, second] = [open(false), new Sink(), new Sink()];
    await stream.attach(first);
    await stream.attach(second);
    await stream.write('x');
    expect([first.isEnded, first.text, second.text]).toEqual([true, '', 'id: s_0\ndata: x\n\n']);
  });

  test('keeps its order with a store that takes its time', async () => {
    const inner = new MemoryEventStore();
    const store: EventStore = {
      append: async (stream, message) => {
        await new Promise((resolve) => setImmediate(resolve));
        return inner.append(stream, message);
      },
      after: async (id) => inner.after(id),
      drop: (stream) => inner.drop(stream),
    };
    const [stream, sink] = [open(false, store), new Sink()];
    void stream.attach(sink);
    void stream.write('1');
    void stream.write('2');
    await stream.finish();
    expect(sink.text).toBe('id: s_0\ndata: 1\n\nid: s_1\ndata: 2\n\n');
  });

  test('gives its answer even if the store fails, hangs, or cannot forget', async () => {
    const clock = new FakeClock();
    const hang = (): Promise<never> => new Promise(() => {});
    const fail = (): Promise<never> => Promise.reject(new Error('down'));
    for (const answer of [hang, fail]) {
      const store: EventStore = { append: answer, after: answer, drop: answer };
      const [stream, sink] = [open(false, store, clock), new Sink()];
      void stream.attach(sink);
      void stream.write('1');
      const finished = stream.finish();
      for (let turn = 0; turn < 20; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        clock.advance(2000);
      }
      await finished;
      stream.drop();
      expect([sink.text, sink.isEnded]).toEqual(['data: 1\n\n', true]);
    }
  });

  test('is taken over at once from a reader that stands still', async () => {
    const stuck = new Sink();
    let unstick: () => void = () => {};
    stuck.write = () => new Promise<void>((resolve) => (unstick = resolve)) as never;
    stuck.cut = () => unstick();
    const [stream, back] = [open(false), new Sink()];
    void stream.attach(stuck);
    void stream.write('1');
    await new Promise((resolve) => setImmediate(resolve));
    await stream.attach(back, 's_');
    expect(back.text).toBe('id: s_0\ndata: 1\n\n');
  });

  test('does not keep a connection that ended before it got its turn', async () => {
    const [stream, sink] = [open(false), new Sink()];
    const attached = stream.attach(sink);
    stream.detach(sink);
    await attached;
    expect(stream.isConnected).toBe(false);
  });

  test('survives a store that fails', async () => {
    const store: EventStore = {
      append: () => Promise.reject(new Error('down')),
      after: () => Promise.reject(new Error('down')),
      drop: () => {},
    };
    const [stream, sink] = [open(false, store), new Sink()];
    await stream.attach(sink);
    await stream.write('1');
    await stream.finish();
    expect(sink.isEnded).toBe(true);
  });
});

describe('MemoryEventStore', () => {
  test('keeps so many events, characters and streams, the newest', () => {
    const store = new MemoryEventStore({ maxEvents: 2, maxChars: 10, maxStreams: 2 });
    for (const message of ['1', '2', '3']) store.append('a', message);
    expect(store.after('a_')).toEqual([
      { id: 'a_1', message: '2' },
      { id: 'a_2', message: '3' },
    ]);
    store.append('a', 'x'.repeat(10));
    expect(store.after('a_')).toEqual([{ id: 'a_3', message: 'x'.repeat(10) }]);
    store.append('b', '1');
    store.append('c', '1');
    expect([store.size, store.after('a_3'), store.after('b_')]).toEqual([
      2,
      undefined,
      [{ id: 'b_0', message: '1' }],
    ]);
  });

  test.each(['a_7', 'a_-1', 'a_x', 'a', '', 'zz_0'])('does not know the event %s', (id) => {
    const store = new MemoryEventStore();
    store.append('a', '1');
    expect(store.after(id)).toBeUndefined();
  });
});

describe('progress while no client is connected', () => {
  /** A store that counts its writes. */
  class CountingStore extends MemoryEventStore {
    readonly appended: string[] = [];
    override append(stream: string, message: string): string {
      this.appended.push(message);
      return super.append(stream, message);
    }
  }

  test('replace each other; the last one is kept for a client that resumes', async () => {
    const store = new CountingStore();
    const memory = new MemoryBudget(1000);
    const stream = new EventStream({
      id: 's',
      store,
      clock: new FakeClock(),
      isPrimed: false,
      owner: async () => 'ada',
      account: memory.anonymous,
    });
    for (const message of ['1', '2', '3']) await stream.report(message, 'token');
    expect([store.appended, memory.usedBytes > 0]).toEqual([[], true]);
    const sink = new Sink();
    await stream.attach(sink);
    expect([store.appended, sink.text, memory.usedBytes]).toEqual([['3'], 'id: s_0\ndata: 3\n\n', 0]);
    await stream.report('4', 'token');
    expect(sink.text).toBe('id: s_0\ndata: 3\n\nid: s_1\ndata: 4\n\n');
  });

  test('stay before the messages that follow them, also those of others', async () => {
    const store = new CountingStore();
    const stream = open(false, store);
    await stream.report('1 of a', 'a');
    await stream.report('2 of a', 'a');
    await stream.report('1 of b', 'b');
    await stream.write('answer');
    await stream.finish();
    expect(store.appended).toEqual(['2 of a', '1 of b', 'answer']);
  });

  test('are forgotten with their stream', async () => {
    const memory = new MemoryBudget(1000);
    const stream = new EventStream({
      id: 's',
      store: new MemoryEventStore(),
      clock: new FakeClock(),
      isPrimed: false,
      owner: async () => 'ada',
      account: memory.anonymous,
    });
    await stream.report('1', 'a');
    stream.drop();
    expect(memory.usedBytes).toBe(0);
  });

  test.each(['write', 'report'] as const)('a loop of %s lets others have their turn', async (method) => {
    const stream = open(false);
    let written = 0;
    const immediate = new Promise<number>((resolve) => {
      setImmediate(() => resolve(written));
    });
    while (written < 100) {
      await stream[method](String(written), 'a');
      written += 1;
    }
    expect(await immediate).toBeLessThan(3);
  });
});
