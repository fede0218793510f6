import { describe, expect, test, vi } from 'vitest';
import { formatLogText } from '../../../src/base/log-text.ts';
import { createLogger, silentLogger } from '../../../src/errors/logger.ts';
import type { LoggerOptions } from '../../../src/errors/logger.ts';

const LEVELS = ['debug', 'info', 'warning', 'error'] as const;

function linesOf(options: LoggerOptions, use: (logger: ReturnType<typeof createLogger>) => void): string[] {
  const lines: string[] = [];
  use(createLogger({ ...options, write: (line) => lines.push(line) }));
  return lines;
}

describe('levels', () => {
  test.each([
    ['debug', ['debug', 'info', 'warning', 'error']],
    ['info', ['info', 'warning', 'error']],
    ['warning', ['warning', 'error']],
    ['error', ['error']],
  ] as const)('from %s on: %j', (level, written) => {
    const lines = linesOf({ level }, (logger) => {
      for (const each of LEVELS) logger[each]('x');
      expect(LEVELS.filter((each) => logger.isEnabled?.(each))).toEqual(written);
    });
    expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(written);
  });

  test('warnings and errors are written by default', () => {
    const lines = linesOf({}, (logger) => {
      for (const each of LEVELS) logger[each]('x');
    });
    expect(lines).toEqual(['{"level":"warning","message":"x"}', '{"level":"error","message":"x"}']);
  });

  test('the silent logger writes nothing and says so', () => {
    for (const each of LEVELS) silentLogger[each]('x');
    expect(LEVELS.some((each) => silentLogger.isEnabled?.(each))).toBe(false);
  });

  test('lines go to standard error by default, because standard output may carry the protocol', () => {
    const spy = vi.spyOn(console, 'error').mockImplementation(() => {});
    createLogger().error('x');
    expect(spy.mock.calls).toEqual([['{"level":"error","message":"x"}']]);
    spy.mockRestore();
  });
});

describe('entries', () => {
  test('level and message come first, then the fields', () => {
    expect(linesOf({}, (logger) => logger.error('x', { a: 1 }))).toEqual([
      '{"level":"error","message":"x","a":1}',
    ]);
  });

  test('a field cannot pass for another level or message', () => {
    expect(linesOf({}, (logger) => logger.error('x', { level: 'debug', message: 'y' }))).toEqual([
      '{"level":"error","message":"x"}',
    ]);
  });

  test('a field that cannot be serialized is replaced, and the others stay', () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const throwing = {
      toJSON: () => {
        throw new Error('x');
      },
    };
    expect(linesOf({}, (logger) => logger.error('x', { big: 1n, cyclic, throwing, fine: 1 }))).toEqual([
      '{"level":"error","message":"x","big":"(cannot be written as JSON)","cyclic":"(cannot be written as JSON)","throwing":"(cannot be written as JSON)","fine":1}',
    ]);
  });

  test('a line break in a message cannot start another entry', () => {
    expect(linesOf({}, (logger) => logger.error('a\n{"level":"info"}'))[0]).not.toContain('\n');
  });

  test('fields that throw when they are read, and a writer that fails, are survived', () => {
    const hostile = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw new Error('x');
      },
    });
    const logger = createLogger({
      write: () => {
        throw new Error('closed');
      },
    });
    expect(() => logger.error('x')).not.toThrow();
    expect(() => logger.error('x', hostile)).not.toThrow();
  });
});

describe('in a terminal', () => {
  const error = { name: 'Error', message: 'boom', stack: 'Error: boom\n    at file:///a.js:1:2' };

  test.each([
    [
      'fields beside the message',
      { tool: 'add', ms: 5, ok: true, why: 'too slow' },
      'error it failed tool=add ms=5 ok=true why="too slow"',
    ],
    [
      'errors below it',
      { tool: 'add', error },
      'error it failed tool=add\n  Error: boom\n      at file:///a.js:1:2',
    ],
    [
      'errors without a stack',
      { error: { name: 'TypeError', message: 'no' } },
      'error it failed\n  TypeError: no',
    ],
    [
      'nothing that changes the terminal',
      { 'a\u001B[2J': 'x\u202Ey\u001B[31m' },
      'error it failed a[2J=xy[31m',
    ],
  ])('shows %s', (_what, fields, text) => {
    expect(formatLogText(JSON.stringify({ level: 'error', message: 'it failed', ...fields }), false)).toBe(
      text,
    );
  });

  test('the level has a colour', () => {
    expect(formatLogText('{"level":"warning","message":"slow"}', true)).toBe(
      '\u001B[33mwarning\u001B[0m slow',
    );
  });

  test('standard error decides', () => {
    const written: unknown[] = [];
    const spy = vi.spyOn(console, 'error').mockImplementation((line) => void written.push(line));
    const before = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
    const log = (isTTY: boolean): void => {
      Object.defineProperty(process.stderr, 'isTTY', { value: isTTY, configurable: true });
      createLogger().warning('slow', { ms: 5 });
    };
    vi.stubEnv('NO_COLOR', '1');
    log(true);
    log(false);
    expect(written).toEqual(['warning slow ms=5', '{"level":"warning","message":"slow","ms":5}']);
    if (before === undefined) Reflect.deleteProperty(process.stderr, 'isTTY');
    else Object.defineProperty(process.stderr, 'isTTY', before);
    vi.unstubAllEnvs();
    spy.mockRestore();
  });
});
