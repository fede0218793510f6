/** Authorization with Cedar: `authorize` takes the roles and scopes of a user from a policy store, and caches them for 10 s. */
import { readFile } from 'node:fs/promises';
import { isAuthorized } from '@cedar-policy/cedar-wasm/nodejs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createServer, defineTool, silentLogger } from 'toolwright';
import { jwt } from 'toolwright/auth';
import { systemClock } from 'toolwright/collaborators';
import { serveHttp } from 'toolwright/http';
import { createTestIssuer } from 'toolwright/testing';
import * as z from 'zod';

// The policies are reviewed with the code. The users are data that change: in your project, rows of a database.
const staticPolicies = await readFile(new URL('policies.cedar', import.meta.url), 'utf8');
const users = new Map([
  ['https://issuer.test|ada', { roles: ['editor'], suspended: false }],
  ['https://issuer.test|bob', { roles: ['viewer'], suspended: false }],
]);
const SCOPES = ['notes:read', 'notes:write'];

/** Asks Cedar for each scope. An error of Cedar becomes a 503: nobody gets a scope by mistake. */
async function authorize({ id }) {
  const user = users.get(id);
  if (user === undefined) return undefined;
  const { roles, suspended } = user;
  const principal = { type: 'User', id };
  const parents = roles.map((role) => ({ type: 'Role', id: role }));
  const scopes = SCOPES.filter((scope) => {
    const answer = isAuthorized({
      principal,
      action: { type: 'Action', id: scope },
      resource: { type: 'Server', id: 'notes' },
      context: {},
      policies: { staticPolicies },
      entities: [{ uid: principal, attrs: { suspended }, parents }],
    });
    if (answer.type === 'failure') throw new Error(answer.errors.map(({ message }) => message).join('; '));
    // Cedar skips a policy that fails, which may be one that forbids.
    if (answer.response.diagnostics.errors.length > 0) throw new Error('A policy could not be evaluated.');
    return answer.response.decision === 'allow';
  });
  return { roles, scopes };
}

const inputSchema = z.object({});
const readNote = defineTool({
  name: 'read_note',
  description: 'Reads the note',
  scopes: ['notes:read'],
  inputSchema,
  handler: () => 'Buy tea.',
});
const writeNote = defineTool({
  name: 'write_note',
  description: 'Writes the note',
  scopes: ['notes:write'],
  inputSchema,
  handler: ({ context }) => `Saved by the ${context.principal.roles.join(' and ')}.`,
});

// A clock that the example can put forward, instead of waiting.
let skippedMs = 0;
const clock = { ...systemClock, now: () => systemClock.now() + skippedMs };

const issuer = await createTestIssuer(); // in your project: jwt({ issuer, audience }) of your identity provider
const server = createServer({
  name: 'notes',
  version: '1.0.0',
  tools: [readNote, writeNote],
  clock,
  logger: silentLogger,
});
const running = await serveHttp(server, {
  port: 0,
  auth: { verify: jwt(issuer.jwtOptions), authorize, authorizeCacheMs: 10_000 },
});

// Grants are cached for equal principals, claims included: a new token of a user is authorized anew.
const tokens = new Map();
for (const sub of ['ada', 'bob', 'eve']) tokens.set(sub, await issuer.tokenFor({ sub }));

/** Prints the tools of a user, and the result of writing. */
async function show(sub, when) {
  const authorization = `Bearer ${tokens.get(sub)}`;
  const transport = new StreamableHTTPClientTransport(new URL(running.url), {
    requestInit: { headers: { authorization } },
  });
  const client = new Client({ name: 'example', version: '1.0.0' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const written = await client.callTool({ name: 'write_note' }).then(
    ({ content }) => content[0].text,
    ({ message }) => message,
  );
  console.log(`${sub}, ${when}:`, tools.map(({ name }) => name).join(', ') || 'no tools', '|', written);
  await client.close();
}

await show('ada', 'an editor');
await show('bob', 'a viewer');
await show('eve', 'not in the store');

users.set('https://issuer.test|bob', { roles: ['viewer', 'editor'], suspended: false });
users.set('https://issuer.test|ada', { roles: ['editor'], suspended: true });
console.log('The store changes: bob becomes an editor, ada is suspended.');
await show('bob', 'at once');
await show('ada', 'at once');
skippedMs += 10_000;
await show('bob', '10 s later');
await show('ada', '10 s later');

await running.close();
await server.close();
