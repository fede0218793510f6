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

/** Invalid settings: by their value, by a member, or in combination. */
const WRONG: readonly (readonly [settings: object, message: string])[] = [
  [{ rateLimit: { limit: 5, per: 1000 } }, '"rateLimit.per" is unknown.'],
  [{ rateLimit: { limit: 5 } }, 'rateLimit.perMs is required'],
  [{ timeoutMs: -1 }, 'timeoutMs must be a number above 0'],
  [{ policy: { exclud: ['a'] } }, '"policy.exclud" is unknown.'],
  [
    { policy: { profiles: { desk: { include: { every: [] } } } } },
    '"policy.profiles.desk.include.every" is unknown.',
  ],
  [{ errors: 'messages', errorHandler: new ErrorHandler() }, 'use either errors or errorHandler, not both.'],
];

describe.each(WRONG)('%j', (settings, message) => {
  test('is reported with the place where it was given', async () => {
    const described = { name: 's', version: '1', ...settings };
    expect(() => createServer(described)).toThrow(`createServer: ${message}`);
    expect(() => new ToolRegistry(settings)).toThrow(`The registry: ${message}`);
    expect(() => new PromptsManager(settings)).toThrow(`PromptsManager: ${message}`);
    expect(() => new ResourcesManager(settings)).toThrow(`ResourcesManager: ${message}`);
    const builder = createTool('notes').action({ name: 'a', handler: () => 1 });
    expect(() => builder.execute({}, { action: 'a' }, settings)).toThrow(`Builder "notes": ${message}`);
    const load = OpenAPIServer.load({ document: { openapi: '3.1.0' }, ...settings });
    await expect(load).rejects.toThrow(`OpenAPIServer.load: ${message}`);
  });
});

test('the policy of a surface is reported as that of the surface', () => {
  expect(() => new ToolRegistry().surface({ policy: { exclud: ['a'] } as never })).toThrow(
    'The surface: "policy.exclud" is unknown.',
  );
});
