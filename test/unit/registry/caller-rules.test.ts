import { expect, test } from 'vitest';
import * as z from 'zod';
import { createServer, defineTool, silentLogger, ToolRegistry } from '../../../src/index.ts';
import type { Caller, CallerRule, PolicyRules } from '../../../src/index.ts';
import { connectTestClient } from '../../../src/testing.ts';

const tool = (name: string, tags: string[], readOnlyHint = true) =>
  defineTool({
    name,
    description: name,
    tags,
    annotations: { readOnlyHint },
    inputSchema: z.object({}),
    handler: () => `${name} ran`,
  });

const TOOLS = [
  tool('read', ['public']),
  tool('write', ['public'], false),
  tool('audit', ['staff']),
  tool('wipe', ['staff', 'risky'], false),
];

const registryWith = (policy: PolicyRules): ToolRegistry =>
  new ToolRegistry({ policy, logger: silentLogger }).registerAll(TOOLS);

/** The tools that a caller can list; every one of the others must respond to a call like an unknown tool. */
async function reached(policy: PolicyRules, caller: Caller): Promise<string[]> {
  const registry = registryWith(policy);
  const listed = registry.listTools(caller).map(({ name }) => name);
  for (const { name } of TOOLS) {
    const reply = await registry.surface({}).handleCall({ name, arguments: {}, ...caller });
    expect(reply.kind === 'result', name).toBe(listed.includes(name));
  }
  return listed;
}

const staff: CallerRule = { include: { any: ['staff'] }, roles: ['support', 'admin'] };
const risky: CallerRule = { include: { all: ['risky'] }, scopes: ['wipe'], tenants: ['acme'] };
const writes: CallerRule = { readOnly: false, authenticated: true };
const by = (principal: NonNullable<Caller['principal']>): Caller => ({ principal });

test.each<[string, readonly CallerRule[], Caller, string[]]>([
  ['anonymous', [staff, writes], {}, ['read']],
  ['no role', [staff, writes], by({ id: 'ada' }), ['read', 'write']],
  ['another role', [staff], by({ id: 'ada', roles: ['guest'] }), ['read', 'write']],
  ['one of the roles', [staff, risky], by({ id: 'ada', roles: ['admin'] }), ['read', 'write', 'audit']],
  [
    'role, scope and tenant',
    [staff, risky],
    by({ id: 'ada', roles: ['admin'], scopes: ['wipe'], tenant: 'acme' }),
    ['read', 'write', 'audit', 'wipe'],
  ],
  [
    'the scope of another tenant',
    [risky],
    by({ id: 'ada', scopes: ['wipe'], tenant: 'umbrella' }),
    ['read', 'write', 'audit'],
  ],
  ['the tenant without the scope', [risky], by({ id: 'ada', tenant: 'acme' }), ['read', 'write', 'audit']],
  ['a rule for everything', [{ tenants: ['acme'] }], by({ id: 'ada', tenant: 'umbrella' }), []],
  [
    'roles that are one string',
    [staff],
    by({ id: 'ada', roles: 'admin' as unknown as string[] }),
    ['read', 'write'],
  ],
])('list and call agree: %s', async (_name, rules, caller, expected) => {
  expect(await reached({ rules }, caller)).toEqual(expected);
});

test('rules hold beside the other conditions, and in the list of each caller', async () => {
  const server = createServer({
    name: 'desk',
    version: '1.0.0',
    tools: TOOLS,
    policy: { exclude: ['risky'], rules: [staff] },
    logger: silentLogger,
  });
  const namesOf = async (caller: Caller): Promise<string[]> => {
    await using client = connectTestClient(server, {
      ...(caller.principal && { principal: caller.principal }),
    });
    return (await client.listTools()).map(({ name }) => name);
  };
  expect(await namesOf({})).toEqual(['read', 'write']);
  expect(await namesOf(by({ id: 'ada', roles: ['admin'] }))).toEqual(['read', 'write', 'audit']);
});

test.each([
  [{ include: { any: ['staff'] } }, 'policy.rules.0 has no condition on the caller'],
  [{ role: ['admin'] }, 'role'],
  [{ roles: [] }, 'policy.rules.0.roles must be an array of strings that is not empty'],
  [{ roles: 'admin' }, 'policy.rules.0.roles must be an array of strings that is not empty'],
  [{ authenticated: false }, 'policy.rules.0.authenticated must be true'],
])('rejects %j', (rule, message) => {
  expect(() => registryWith({ rules: [rule as unknown as CallerRule] })).toThrow(message);
});
