/**
 * An authorization server on loopback, by `oidc-provider`. The parent process gets its issuer as the first message, and moves its clock with
 * messages. It ends with the parent process.
 */
import { createServer } from 'node:http';
import process from 'node:process';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

const { now } = Date;
let offsetMs = 0;
Date.now = () => now() + offsetMs;

process.on('message', (message) => {
  offsetMs = message.offsetMs;
  process.send({ offsetMs });
});
process.once('disconnect', () => process.exit(0));

const key = async (alg) => ({
  ...(await exportJWK((await generateKeyPair(alg, { extractable: true })).privateKey)),
  alg,
  use: 'sig',
});

/** Scopes that resources have. */
const SCOPES = 'notes notes:write';
const SECRET = 'a-secret-of-the-tests-with-32-characters';

const machine = (client_id, grant_types) => ({
  client_id,
  client_secret: SECRET,
  grant_types,
  redirect_uris: [],
  response_types: [],
  token_endpoint_auth_method: 'client_secret_basic',
});

const http = createServer();
await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${http.address().port}`;

const provider = new Provider(issuer, {
  clients: [machine('resource-server', []), machine('nightly-job', ['client_credentials'])],
  jwks: { keys: [await key('RS256'), await key('ES256')] },
  cookies: { keys: [SECRET] },
  // Clients that register name the scopes they ask for.
  scopes: ['openid', 'offline_access', ...SCOPES.split(' ')],
  // The official client registers the scopes of its first request. This provider would allow no others later, and so no step-up.
  extraClientMetadata: {
    properties: ['tests'],
    validator: (...args) => {
      args[3].scope = undefined;
    },
  },
  findAccount: (context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  pkce: { required: () => true },
  interactions: { url: (context, { uid }) => `/interaction/${uid}` },
  // The address rules of the provider would reject the client metadata documents of the tests, which are on loopback.
  fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined }),
  ttl: {
    AccessToken: () => 3600,
    ClientCredentials: () => 3600,
    Grant: () => 86_400,
    Interaction: () => 600,
    RefreshToken: () => 86_400,
    Session: () => 86_400,
  },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
    dPoP: { enabled: true, nonceSecret: Buffer.alloc(32, 7) },
    introspection: {
      enabled: true,
      allowedPolicy: (context, client) => client.clientId === 'resource-server',
    },
    registration: { enabled: true },
    revocation: {
      enabled: true,
      allowedPolicy: (context, client, token) => token.clientId === client.clientId,
    },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      // The path decides the format of the tokens.
      getResourceServerInfo: (context, resource) => ({
        scope: SCOPES,
        audience: resource,
        accessTokenTTL: 3600,
        ...(new URL(resource).pathname === '/opaque'
          ? { accessTokenFormat: 'opaque' }
          : { accessTokenFormat: 'jwt', jwt: { sign: { alg: 'ES256' } } }),
      }),
    },
  },
});

/** Logs in, and consents to everything that the client asks for. */
async function interact(request, response) {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login')
    return provider.interactionFinished(request, response, { login: { accountId: 'ada' } });
  const grant =
    (grantId && (await provider.Grant.find(grantId))) ??
    new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  const { missingOIDCScope = [], missingResourceScopes = {} } = prompt.details;
  grant.addOIDCScope(missingOIDCScope.join(' '));
  for (const [resource, scopes] of Object.entries(missingResourceScopes))
    grant.addResourceScope(resource, scopes.join(' '));
  const consent = { grantId: await grant.save() };
  return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true });
}

const serve = provider.callback();
http.on('request', (request, response) => {
  if (!request.url.startsWith('/interaction/')) return serve(request, response);
  interact(request, response).catch((error) => {
    console.error(error);
    response.writeHead(500).end(String(error));
  });
});
provider.on('server_error', (context, error) => console.error(error));
process.send({ issuer });
