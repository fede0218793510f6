/** Ours with authentication, rate limit and audit, or with none of them. Keys and introspection are in the process: no network is measured. */
import { addressOf, createServer, silentLogger } from '../../library.mjs';
import { listTools } from '../../tools.mjs';
import { SERVER_INFO } from '../constants.mjs';
import { ready } from './control.mjs';
import { specification } from './specification.mjs';

const { size, catalogue, identity, isLimited, isAudited } = specification;
const load = (name) => import(addressOf(`${name}.ts`));
const [{ serveHttp }, { audit }, auth, { createTestIssuer }] = await Promise.all(
  ['http', 'middleware', 'auth', 'testing'].map(load),
);
const server = createServer({
  ...SERVER_INFO,
  logger: silentLogger,
  rateLimit: isLimited ? { limit: 1e12, perMs: 60_000 } : false,
  tools: listTools(size, catalogue).map(({ name, description, schema, run }) => ({
    name,
    description,
    inputSchema: schema,
    handler: async ({ input }) => run(input),
  })),
});
let entries = 0;
if (isAudited) server.tools.use(audit({ write: () => (entries += 1) }));

const resource = 'https://server.test/mcp';
const issuer = await createTestIssuer();
const signed = await issuer.tokenFor({ sub: 'ada', scopes: ['notes:read'], expiresIn: 86_400 });
const { key, record } = auth.createApiKey({ id: 'ada', scopes: ['notes:read'] });
const keys = auth.apiKeys(new auth.MemoryApiKeyStore([record]));
const CREDENTIALS = {
  none: () => [undefined, undefined],
  warm: () => [auth.jwt(issuer.jwtOptions), signed],
  'any-of': () => [auth.anyOf(auth.jwt(issuer.jwtOptions), keys), signed],
  'api-key': () => [keys, key],
  cold: () => [auth.jwt({ ...issuer.jwtOptions, cacheMs: 0 }), signed],
  introspection: () => [
    auth.introspection({
      issuer: 'https://issuer.test',
      audience: resource,
      endpoint: 'https://issuer.test/introspect',
      clientId: 'server',
      clientSecret: 'secret',
      fetch: async () => Response.json({ active: true, aud: resource, sub: 'ada', scope: 'notes:read' }),
    }),
    'an-opaque-token',
  ],
};
const [verify, token] = CREDENTIALS[identity]();
const { port } = await serveHttp(server, {
  port: 0,
  ...(verify === undefined ? {} : { auth: { verify, resource } }),
});
ready({ port, token });
