import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Placeholders } from './support/placeholders.ts';
import { startStage } from './support/transcript-sample.ts';
import { replay } from './support/transcript.ts';
import type { Step, Transcript } from './support/transcript.ts';

const FOLDER = join(import.meta.dirname, 'transcripts');

/** Required transcripts: each revision over each of its transports. The name begins with the transport. */
const TRANSCRIPTS = {
  '2024-11-05': ['http', 'sse', 'stdio'],
  '2025-03-26': ['http', 'stdio'],
  '2025-06-18': ['http', 'stdio'],
  '2025-11-25': ['http', 'stdio'],
  '2026-07-28': ['http-calls', 'http-errors', 'http-listen', 'http-rounds', 'http-tasks', 'stdio'],
};

function read(version: string, name: string): Transcript {
  return JSON.parse(readFileSync(join(FOLDER, version, `${name}.json`), 'utf8')) as Transcript;
}

function transportOf(name: string): string {
  return name.split('-')[0] ?? name;
}

describe('the transcripts', () => {
  test('there is one for every revision and transport', () => {
    const found = readdirSync(FOLDER).map((version) => {
      const names = readdirSync(join(FOLDER, version)).map((file) => file.replace(/\.json$/, ''));
      return [version, names.sort()];
    });
    expect(Object.fromEntries(found)).toEqual(TRANSCRIPTS);
  });

  for (const [version, names] of Object.entries(TRANSCRIPTS)) {
    for (const name of names) {
      test(`${version} over ${name} is the same, word for word`, async () => {
        const transcript = read(version, name);
        expect(transcript.steps.length).toBeGreaterThan(3);
        await using stage = await startStage(transportOf(name));
        await replay(transcript, stage);
      });
    }
  }
});

/** Replays a transcript with one changed step. */
async function replayChanged(version: string, name: string, change: (step: Step) => Step): Promise<string> {
  const transcript = read(version, name);
  let isChanged = false;
  const steps = transcript.steps.map((step) => {
    const changed = isChanged ? step : change(step);
    isChanged ||= changed !== step;
    return changed;
  });
  expect(isChanged).toBe(true);
  await using stage = await startStage(transportOf(name));
  try {
    await replay({ ...transcript, steps }, stage);
    return 'no difference was found';
  } catch (error) {
    return String(error);
  }
}

describe('the check itself', () => {
  test('another status, header, body, event or line is found', async () => {
    const differences = [
      await replayChanged('2026-07-28', 'http-rounds', (step) =>
        'receive' in step ? { ...step, receive: { ...step.receive, status: 201 } } : step,
      ),
      await replayChanged('2026-07-28', 'http-rounds', (step) =>
        'receive' in step
          ? { ...step, receive: { ...step.receive, headers: { 'content-type': null } } }
          : step,
      ),
      await replayChanged('2026-07-28', 'http-rounds', (step) =>
        'receive' in step ? { ...step, receive: { ...step.receive, body: {} } } : step,
      ),
      await replayChanged('2026-07-28', 'http-listen', (step) =>
        'event' in step ? { ...step, event: { data: {} } } : step,
      ),
      await replayChanged('2025-06-18', 'stdio', (step) => ('read' in step ? { read: { id: 1 } } : step)),
    ];
    for (const difference of differences) expect(difference).toMatch(/AssertionError: step \d+: expected/);
  });

  test('a placeholder keeps what it took, and takes only what looks right', () => {
    const names = new Placeholders({ id: '[a-z]+', unused: '.' });
    expect(names.expect(['{{id}}', '/x?y={{id}}'], ['abc', '/x?y=abc'])).toEqual(['abc', '/x?y=abc']);
    expect(names.expect('{{id}}', 'other')).toBe('abc');
    expect(names.resolve({ a: ['{{id}}', 1, null] })).toEqual({ a: ['abc', 1, null] });
    expect(names.unused).toEqual(['unused']);
    expect(new Placeholders({ id: '[a-z]+' }).expect('{{id}}', '123')).toBe('{{id}}');
    expect(new Placeholders({ id: '[a-z]+' }).expect('{{id}}', undefined)).toBe('{{id}}');
    expect(() => new Placeholders({}).expect('{{id}}', 'abc')).toThrow('not declared');
  });
});
