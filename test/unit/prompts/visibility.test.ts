import { describe, expect, test } from 'vitest';
import { PromptsManager } from '../../../src/index.ts';
import type { Caller, PolicySubject, PromptsManagerOptions } from '../../../src/index.ts';
import { recordLog } from '../../support/log-recorder.ts';

const silent = { debug() {}, info() {}, warning() {}, error() {} };
const by = (...scopes: string[]): Caller => ({ principal: { id: 'ada', scopes } });

function manager(options: PromptsManagerOptions = {}): PromptsManager {
  return new PromptsManager({ logger: silent, ...options })
    .addPrompt({ name: 'review', template: 'x', tags: ['public'] })
    .addPrompt({ name: 'reviewer', template: 'x', scopes: ['admin'] })
    .addPrompt({ name: 'audit', template: 'x', tags: ['internal'], arguments: [{ name: 'a' }] });
}

const names = (prompts: PromptsManager, caller?: Caller): string[] =>
  prompts.getAllPrompts(caller).map(({ name }) => name);

/** Visible prompts must be the callable ones. */
async function reachable(prompts: PromptsManager, caller: Caller): Promise<string[]> {
  const found: string[] = [];
  for (const name of ['review', 'reviewer', 'audit']) {
    const reply = await prompts.getPrompt({ name, ...caller });
    const completion = await prompts.complete({
      ref: name,
      argument: 'x',
      value: '',
      arguments: {},
      ...caller,
    });
    const isKnown = (completion as { reason?: string }).reason !== 'UNKNOWN_PROMPT';
    expect(isKnown, name).toBe(reply.kind === 'value');
    if (isKnown) found.push(name);
  }
  return found;
}

describe('visible is the same as callable', () => {
  test.each([
    ['nobody in particular', {}, ['review', 'audit']],
    ['a caller without the scope', by('other'), ['review', 'audit']],
    ['a caller with the scope', by('admin'), ['review', 'reviewer', 'audit']],
  ])('for %s', async (_, caller, expected) => {
    const prompts = manager();
    expect(names(prompts, caller)).toEqual(expected);
    expect(prompts.list(caller).map(({ key }) => key)).toEqual(expected);
    expect(await reachable(prompts, caller)).toEqual(expected);
  });

  test('with rules: by tag, by name, and by what changes nothing', async () => {
    const tagged = manager({ policy: { exclude: ['internal'] } });
    expect(names(tagged)).toEqual(['review']);
    expect(await reachable(tagged, {})).toEqual(['review']);
    expect(names(manager({ policy: { names: ['audit'] } }))).toEqual(['audit']);
    expect(names(manager({ policy: { readOnly: true } }))).toEqual(['review', 'audit']);
  });

  test('with a policy of your own, which learns what it decides on', async () => {
    const asked: PolicySubject[] = [];
    const prompts = manager({
      policy: (subject, { principal }) => {
        asked.push(subject);
        return principal?.id === 'ada' && subject.name !== 'audit';
      },
    });
    expect(await reachable(prompts, by())).toEqual(['review']);
    expect(names(prompts, by())).toEqual(['review']);
    expect(await reachable(prompts, {})).toEqual([]);
    expect(asked[0]).toEqual({
      kind: 'prompt',
      name: 'review',
      tool: 'review',
      action: undefined,
      tags: ['public'],
      scopes: [],
      category: undefined,
      namespace: 'toolwright',
      operation: 'review',
      isReadOnly: true,
      isDestructive: false,
      isIdempotent: true,
    });
    expect(Object.isFrozen(asked[0])).toBe(true);
  });

  test('a policy that fails hides the prompt, and the log says so', async () => {
    const { logger, entries } = recordLog();
    const prompts = manager({
      logger,
      policy: () => {
        throw new Error('the user service is down');
      },
    });
    expect(names(prompts)).toEqual([]);
    expect(await prompts.getPrompt({ name: 'review' })).toMatchObject({ reason: 'UNKNOWN_PROMPT' });
    expect(entries[0]).toMatchObject({
      message: 'the policy failed; the prompt is hidden',
      fields: { prompt: 'review' },
    });
  });
});

describe('hidden prompts', () => {
  test('answers byte for byte like what does not exist', async () => {
    const [all, without] = [manager(), manager()];
    without.removePrompt('reviewer');
    for (const name of ['reviewer', 'reviewe', 'reviewers']) {
      const hidden = await all.getPrompt({ name });
      expect(JSON.stringify(hidden)).toBe(JSON.stringify(await without.getPrompt({ name })));
      const request = { ref: name, argument: 'a', value: '', arguments: {} };
      expect(await all.complete(request)).toEqual(await without.complete(request));
    }
  });

  test('is never suggested; what is visible is', async () => {
    const unknown = {
      kind: 'protocol-error',
      code: -32602,
      reason: 'UNKNOWN_PROMPT',
      message: 'Unknown prompt: reviewe',
    };
    expect(await manager().getPrompt({ name: 'reviewe' })).toEqual({
      ...unknown,
      data: { suggestions: ['review'] },
    });
    expect(await manager().getPrompt({ name: 'reviewe', ...by('admin') })).toEqual({
      ...unknown,
      data: { suggestions: ['review', 'reviewer'] },
    });
  });

  test('is not validated either: its arguments cannot be probed', async () => {
    const prompts = new PromptsManager().addPrompt({
      name: 'p',
      scopes: ['admin'],
      arguments: [{ name: 'a', required: true }],
      template: '{{a}}',
    });
    expect(await prompts.getPrompt({ name: 'p', arguments: { a: 1 } })).toMatchObject({
      reason: 'UNKNOWN_PROMPT',
    });
  });
});

describe('an unknown name', () => {
  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])('%j is unknown', async (name) => {
    expect(await manager().getPrompt({ name })).toEqual({
      kind: 'protocol-error',
      code: -32602,
      reason: 'UNKNOWN_PROMPT',
      message: `Unknown prompt: ${name}`,
    });
  });

  test('of a megabyte is cut in the error', async () => {
    const reply = await manager().getPrompt({ name: 'x'.repeat(1_000_000) });
    expect(JSON.stringify(reply).length).toBeLessThan(300);
  });
});

describe('lists', () => {
  test('are one array for all callers who see the same, until something changes', () => {
    const prompts = manager();
    const anonymous = prompts.list({});
    expect(prompts.list({})).toBe(anonymous);
    expect(prompts.list(by('other'))).toBe(anonymous);
    expect(prompts.list({ accessToken: 't' })).toBe(anonymous);
    const admin = prompts.list(by('admin'));
    expect(admin).not.toBe(anonymous);
    expect(prompts.list(by('admin', 'x'))).toBe(admin);
    prompts.addPrompt({ name: 'new', template: '' });
    expect(prompts.list({})).not.toBe(anonymous);
    expect(prompts.list({}).map(({ key }) => key)).toEqual(['review', 'audit', 'new']);
    prompts.removePrompt('new');
    expect(prompts.list({}).map(({ key }) => key)).toEqual(['review', 'audit']);
  });

  test('have the same bytes from one process to the next', () => {
    const texts = [manager(), manager()].map((prompts) => prompts.list({}).map(({ json }) => json));
    expect(texts[0]).toEqual([
      '{"name":"review"}',
      '{"name":"audit","arguments":[{"name":"a","required":false}]}',
    ]);
    expect(texts[1]).toEqual(texts[0]);
  });
});
