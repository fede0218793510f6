import type { IssuerPresetName, IssuerPresetParams } from '../../auth/issuer-presets.ts';
import type { SmallSchema } from '../file/small-schema.ts';
import { text } from './config-schema-parts.ts';
import { JWT_CHANGES, oneOrMore } from './token-schema.ts';

const AUDIENCE = { audience: oneOrMore('Audiences that tokens are accepted for: the URL of this server.') };
const DOMAIN = { domain: text('Domain of the provider, without scheme and path: id.example.com.') };
const ADDRESS = { url: text('URL of the provider: https://id.example.com.') };

/** The parameters of `issuerPreset`, by the name of the identity provider. */
const PARAMETERS: {
  readonly [TName in IssuerPresetName]: Readonly<Record<keyof IssuerPresetParams[TName], SmallSchema>>;
} = {
  auth0: { ...DOMAIN, ...AUDIENCE },
  'better-auth': { ...ADDRESS, ...AUDIENCE },
  clerk: { ...DOMAIN, clientId: oneOrMore('Ids of the OAuth applications whose tokens are accepted.') },
  cognito: {
    userPoolId: text('Id of the user pool: eu-west-1_AbCdEf123.'),
    clientId: oneOrMore('Ids of the app clients whose tokens are accepted, instead of audience.'),
    ...AUDIENCE,
  },
  entra: {
    tenantId: text('Id of the tenant, a GUID.'),
    audience: oneOrMore('Client id of the API (v2.0), or its application ID URI (v1.0).'),
    version: { enum: ['v1.0', 'v2.0'], description: 'Version of the access tokens. Default: v2.0.' },
    applicationIdUri: text('Application ID URI of the API. Default: api://<audience>.'),
  },
  keycloak: { ...ADDRESS, realm: text('Name of the realm.'), ...AUDIENCE },
  okta: {
    ...DOMAIN,
    ...AUDIENCE,
    authorizationServerId: text('Id of the custom authorization server. Default: default.'),
  },
  supabase: { ...ADDRESS, ...AUDIENCE },
  workos: { ...DOMAIN, ...AUDIENCE },
};

const OPTIONAL: ReadonlySet<string> = new Set(['version', 'applicationIdUri', 'authorizationServerId']);

export const PRESET: SmallSchema = {
  description:
    'JSON Web Tokens of an identity provider. Members of jwt beside the parameters change its options.',
  oneOf: Object.entries(PARAMETERS).map(([name, parameters]) => ({
    title: `{ "name": "${name}", … }`,
    type: 'object',
    // Cognito needs either of clientId and audience.
    required: [
      'name',
      ...(name === 'cognito' ? ['userPoolId'] : Object.keys(parameters).filter((key) => !OPTIONAL.has(key))),
    ],
    additionalProperties: false,
    properties: {
      name: { const: name, description: 'Identity provider.' },
      ...parameters,
      ...JWT_CHANGES,
    },
  })),
};
