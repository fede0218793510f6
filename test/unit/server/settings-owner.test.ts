import { describe, expect, test } from 'vitest';
import {
  createServer,
  createTool,
  PromptsManager,
  ResourcesManager,
  ToolRegistry,
} from '../../../src/index.ts';
import { OpenAPIServer } from '../../../src/openapi.ts';
import { ErrorHandler } from '../../../src/collaborators.ts';

/** Settings that are wrong in themselves, in a member, or beside each other; `<owner>` is where they were given. */
const WRONG: readonly (readonly [settings: object, message: string])[] = [
  [{ rateLimit: { limit: 5, per: 1000 } }, 'Unknown option "rateLimit.per" of <owner>.'],
  [{ rateLimit: { limit: 5 } }, '<owner>: rateLimit.perMs is required'],
  [{ timeoutMs: -1 }, '<owner>: timeoutMs must be a number greater than 0'],
  [{ policy: { exclud: ['a'] } }, 'Unknown option "policy.exclud" of <owner>.'],
  [
    { policy: { profiles: { desk: { include: { every: [] } } } } },
    'Unknown option "policy.profiles.desk.include.every" of <owner>.',
  ],
  [
    { errors: 'messages', errorHandler: new ErrorHandler() },
    '<owner>: errors and errorHandler cannot be used together.',
  ],
];

describe.each(WRONG)('%j', (settings, message) => {
  test('is reported with the place where it was given', async () => {
    const by = (owner: string): string => message.replace('<owner>', owner);
    const described = { name: 's', version: '1', ...settings };
    expect(() => createServer(described)).toThrow(by('createServer'));
    expect(() => new ToolRegistry(settings)).toThrow(by('ToolRegistry'));
    expect(() => new PromptsManager(settings)).toThrow(by('PromptsManager'));
    expect(() => new ResourcesManager(settings)).toThrow(by('ResourcesManager'));
    const builder = createTool('notes').action({ name: 'a', handler: () => 1 });
    expect(() => builder.execute({}, { action: 'a' }, settings)).toThrow(
      by(message.startsWith('<owner>') ? 'Builder "notes"' : 'builder "notes"'),
    );
    const load = OpenAPIServer.load({ document: { openapi: '3.1.0' }, ...settings });
    await expect(load).rejects.toThrow(by('OpenAPIServer.load'));
  });
});

test('the policy of a surface is reported as that of the surface', () => {
  expect(() => new ToolRegistry().surface({ policy: { exclud: ['a'] } as never })).toThrow(
    'Unknown option "policy.exclud" of registry.surface.',
  );
});
