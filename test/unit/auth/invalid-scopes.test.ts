import { describe, expect, test } from 'vitest';
import { custom } from '../../../src/auth.ts';
import type { AuthOptions } from '../../../src/auth.ts';
import { toFetchHandler } from '../../../src/fetch.ts';
import {
  createServer,
  createTool,
  defineTool,
  PromptsManager,
  ResourcesManager,
  silentLogger,
  ToolRegistry,
} from '../../../src/index.ts';
import { refused } from '../../support/refused.ts';

const inputSchema = { type: 'object' } as const;
const handler = (): string => 'done';
const action = { name: 'list', handler };

/** Places where scopes are named, and the option that an error is about. */
const PLACES: Readonly<Record<string, readonly [(scopes: string[]) => unknown, option: string]>> = {
  tool: [
    (scopes) =>
      new ToolRegistry().register(defineTool({ name: 'a', description: 'A', inputSchema, handler, scopes })),
    'scopes',
  ],
  action: [(scopes) => createTool('a').action({ ...action, scopes }), 'scopes'],
  'grouped tool': [(scopes) => createTool('a').scopes(...scopes), 'scopes'],
  group: [
    (scopes) => createTool('a').group('g', (group) => group.scopes(...scopes).action(action)),
    'scopes',
  ],
  prompt: [(scopes) => new PromptsManager({ prompts: [{ name: 'a', scopes, handler }] }), 'scopes'],
  resource: [
    (scopes) =>
      new ResourcesManager({ resources: [{ uri: 'a://b', name: 'a', scopes, contentProvider: handler }] }),
    'scopes',
  ],
  'rule of a policy': [(scopes) => new ToolRegistry({ policy: { rules: [{ scopes }] } }), 'policy'],
  requiredScopes: [(requiredScopes) => serve({ requiredScopes }), 'requiredScopes'],
  scopesSupported: [(scopesSupported) => serve({ scopesSupported }), 'scopesSupported'],
};

function serve(auth: Partial<AuthOptions>): unknown {
  const server = createServer({ name: 's', version: '1.0.0', logger: silentLogger });
  const verify = custom(() => undefined);
  return toFetchHandler(server, { auth: { verify, resource: 'https://s.test/mcp', ...auth } });
}

/** RFC 6749, 3.3: in a token and in a challenge, the first one is two scopes. No token would have it, however often the user consents. */
const INVALID = ['notes:read notes:write', '', 'notes"', 'notes\\', 'n\u00f6tes', 'notes\n'];

describe.each(Object.entries(PLACES))('%s', (_name, [give, option]) => {
  test.each(INVALID)('%j is not a scope', (scope) => {
    expect(() => give(['notes', scope])).toThrow(refused(option));
  });

  test('the error names the scope', () => {
    expect(() => give(['notes', 'a b'])).toThrow(
      '.1 must be one scope, such as "notes:read": ASCII characters other than a space, " and \\; received "a b".',
    );
  });

  test('scopes are accepted', () => {
    expect(() => give(['notes:read', 'https://www.example.com/auth/notes.write', 'a!#$[]~'])).not.toThrow();
  });
});
