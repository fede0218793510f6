import type { AuthConfig, TrustedHeadersConfig, VerifierKind } from '../file/auth-config.ts';
import type { SmallSchema } from '../file/small-schema.ts';
import { flag, text, texts } from './config-schema-parts.ts';
import { PRESET } from './preset-schema.ts';
import { INTROSPECTION, JWT, some } from './token-schema.ts';

/** A principal: of `principal`, and of API keys. */
export const PRINCIPAL: SmallSchema = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: {
    id: text('Stable and unique.'),
    scopes: texts('Granted scopes. Default: none.'),
    roles: texts('Roles. Default: none.'),
    tenant: text('Organization that the principal belongs to. Default: none.'),
  },
};

const EXPIRES_AT: SmallSchema = {
  description: 'Default: never.',
  oneOf: [
    { title: 'a date such as "2027-01-31"', type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}' },
    { title: 'milliseconds since 1970', type: 'integer', minimum: 0 },
  ],
};

/** An API key as it is stored: its hash, never the key. */
export const API_KEY_RECORD: SmallSchema = {
  title: 'a record ({ "prefix", "hash", "principal" })',
  type: 'object',
  required: ['prefix', 'hash', 'principal'],
  additionalProperties: false,
  properties: {
    prefix: text('The part of the key that may be shown.'),
    hash: text('SHA-256 of the key, as base64url.'),
    principal: PRINCIPAL,
    expiresAt: EXPIRES_AT,
  },
};

const HEADER = text('Header that has the key and nothing else: x-api-key. Default: Authorization: Bearer.');

const API_KEYS: SmallSchema = {
  description: 'API keys that createApiKey has made.',
  oneOf: [
    {
      title: '{ "file": "./api-keys.json" }',
      type: 'object',
      required: ['file'],
      additionalProperties: false,
      properties: {
        file: text('JSON file with an array of records. Read again when it changes.'),
        header: HEADER,
      },
    },
    {
      title: '{ "keys": [{ "key": "${env:API_KEY}", "principal": { "id": "ci" } }] }',
      type: 'object',
      required: ['keys'],
      additionalProperties: false,
      properties: {
        keys: {
          type: 'array',
          minItems: 1,
          items: {
            oneOf: [
              {
                title: 'a key ({ "key", "principal" })',
                type: 'object',
                required: ['key', 'principal'],
                additionalProperties: false,
                properties: {
                  key: text('The key, from the environment: "${env:API_KEY}".'),
                  principal: PRINCIPAL,
                  expiresAt: EXPIRES_AT,
                },
              },
              API_KEY_RECORD,
            ],
          },
        },
        header: HEADER,
      },
    },
  ],
};

const TRUSTED_HEADERS: SmallSchema = {
  type: 'object',
  required: ['proxies', 'id'],
  additionalProperties: false,
  description: 'Identity that a proxy has verified.',
  properties: {
    proxies: some('Addresses and ranges of the proxies whose headers are believed: 10.0.0.0/8.'),
    id: text('Header with the id of the principal: x-forwarded-user.'),
    scopes: text('Header with the scopes. Default: none.'),
    roles: text('Header with the roles. Default: none.'),
    tenant: text('Header with the tenant. Default: none.'),
  } satisfies Record<keyof TrustedHeadersConfig, SmallSchema>,
};

const KINDS: Readonly<Record<VerifierKind, SmallSchema>> = {
  jwt: JWT,
  preset: PRESET,
  introspection: INTROSPECTION,
  apiKeys: API_KEYS,
  trustedHeaders: TRUSTED_HEADERS,
};

const COMMON: Readonly<Record<keyof AuthConfig, SmallSchema>> = {
  resource: text('URL of the MCP endpoint as clients know it. Default: the audience, if it is one URL.'),
  anonymous: flag('Whether requests without credentials are served as the anonymous caller. Default: false.'),
  requiredScopes: texts('Scopes that every request needs. Default: none.'),
  scopesSupported: texts('Scopes that clients can ask for, in the metadata. Default: requiredScopes.'),
  authorizationServers: texts('Authorization servers in the metadata. Default: the issuers.'),
  resourceName: text('Name of the server for people, in the metadata.'),
  resourceDocumentation: text('URL of documentation for developers, in the metadata.'),
  clientCredentials: flag('Whether the issuer gives tokens to clients without a user. Default: false.'),
};

/** An object with one kind of credentials, and members beside it. */
function withKind(kind: string, schema: SmallSchema, others: SmallSchema['properties'] = {}): SmallSchema {
  return {
    title: `{ "${kind}" }`,
    type: 'object',
    required: [kind],
    additionalProperties: false,
    properties: { [kind]: schema, ...others },
  };
}

const ANY_OF: SmallSchema = {
  type: 'array',
  minItems: 1,
  description: 'Several kinds of credentials: any of them is accepted.',
  items: { oneOf: Object.entries(KINDS).map(([kind, schema]) => withKind(kind, schema)) },
};

export const AUTH: SmallSchema = {
  description: 'Authentication over HTTP. Default: every caller is anonymous.',
  oneOf: Object.entries({ ...KINDS, anyOf: ANY_OF }).map(([kind, schema]) => withKind(kind, schema, COMMON)),
};

const SUBJECT: Readonly<Record<string, SmallSchema>> = {
  include: {
    type: 'object',
    additionalProperties: false,
    description: 'By tags.',
    properties: { all: texts('Has all of these tags.'), any: texts('Has at least one of these tags.') },
  },
  exclude: texts('Has none of these tags.'),
  readOnly: flag('Is read-only (true), or is not (false).'),
  names: texts('Is one of these: names of tools, actions, prompts, URIs of resources.'),
};

const RULE: SmallSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'Conditions on the caller, for what the other conditions select; without any, for everything.',
  properties: {
    ...SUBJECT,
    authenticated: { const: true, description: 'The caller is not anonymous.' },
    scopes: some('The caller was granted all of these scopes.'),
    roles: some('The caller has at least one of these roles.'),
    tenants: some('The caller belongs to one of these tenants.'),
  },
};

export const POLICY: SmallSchema = {
  type: 'object',
  additionalProperties: false,
  description: 'Which tools, prompts and resources exist, and for which callers. All conditions must hold.',
  properties: {
    ...SUBJECT,
    profiles: {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: false, properties: SUBJECT },
      description: 'Named sets of conditions.',
    },
    profile: text('The set that holds: a name of profiles, all, or read-only.'),
    rules: { type: 'array', items: RULE, description: 'Conditions on the caller.' },
  },
};
