import { describe, expect, test } from 'vitest';
import { ClientLog } from '../../../src/wire/dialogues/client-log.ts';
import type { Exchange } from '../../../src/wire/served/exchange.ts';

/** A reader that takes nothing until it is told to. */
function slowReader(): { log: ClientLog; sent: string[]; read: () => Promise<void> } {
  const sent: string[] = [];
  let waiting: (() => void)[] = [];
  const exchange = {
    logLevel: 'info',
    session: undefined,
    send: (message: string) => {
      sent.push(message);
      return new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    },
  } as unknown as Exchange;
  const read = async (): Promise<void> => {
    const taken = waiting;
    waiting = [];
    for (const resolve of taken) resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { log: new ClientLog(exchange), sent, read };
}

const message = (data: unknown) => ({ level: 'info', data, logger: undefined }) as const;

describe('the log of a client', () => {
  test('keeps about a mebibyte for a reader that is behind, and says how much it lost', async () => {
    const { log, sent, read } = slowReader();
    for (let count = 0; count < 20; count += 1) void log.send(message('x'.repeat(100_000)));
    expect(sent).toHaveLength(11);
    await read();
    expect(sent[11]).toBe(
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warning","logger":"toolwright","data":"9 messages were not sent: the client reads too slowly."}}',
    );
    await read();
    void log.send(message('again'));
    expect(sent[12]).toBe(
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"again"}}',
    );
  });

  test('says what it does not send', () => {
    const { log, sent } = slowReader();
    let shared: unknown = [];
    for (let level = 0; level < 40; level += 1) shared = [shared, shared];
    void log.send(message(shared));
    void log.send(message({ bytes: new Uint8Array(5_000_000) }));
    expect(sent.map((text) => (JSON.parse(text) as { params: { data: string } }).params.data)).toEqual([
      '(not sent: it is too large)',
      '(not sent: it contains bytes (a typed array or a buffer), which have no JSON form; convert them to a base64 string, such as the data of an image, or leave them out)',
    ]);
  });

  test('resolves when the reader has read', async () => {
    const { log, read } = slowReader();
    let isSent = false;
    const sending = Promise.resolve(log.send(message('one'))).then(() => {
      isSent = true;
    });
    await Promise.resolve();
    expect(isSent).toBe(false);
    await read();
    await sending;
    expect(isSent).toBe(true);
  });
});
