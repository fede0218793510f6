import type { IntrospectionConfig, JwtConfig } from '../file/auth-config.ts';
import type { SmallSchema } from '../file/small-schema.ts';
import { count, text, texts } from './config-schema-parts.ts';

export const oneOrMore = (description: string): SmallSchema => ({
  description,
  oneOf: [
    { title: 'a string', type: 'string', minLength: 1 },
    { title: 'an array of strings', type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
  ],
});
export const some = (description: string): SmallSchema => ({ ...texts(description), minItems: 1 });

const CLAIMS = {
  scopesClaim: oneOrMore('Claim with the scopes. Default: scope, or scp.'),
  scopePrefix: text('Text before the scopes that clients request: api://notes/. Default: none.'),
  rolesClaim: text('Claim with the roles; realm_access.roles is a path. Default: roles.'),
  tenantClaim: text('Claim with the tenant. Default: none.'),
};

const ISSUER = {
  issuer: text('URL of the issuer, exactly as its tokens name it.'),
  audience: oneOrMore('Audiences that tokens are accepted for: the URL of this server.'),
};

/** Members of `jwt` that change the options of a preset. */
export const JWT_CHANGES: Readonly<Record<Exclude<keyof JwtConfig, 'audience' | 'issuer'>, SmallSchema>> = {
  audienceClaim: text('Claim with the audience in tokens without aud: client_id. Default: none.'),
  jwksUri: text("URL of the issuer's keys. Default: jwks_uri of its metadata."),
  algorithms: some('Allowed signature algorithms. Default: all asymmetric ones.'),
  typ: oneOrMore('Allowed values of the header typ. Default: at+jwt and JWT.'),
  requiredClaims: texts('Claims that must be present. Default: none beside the standard ones.'),
  requiredValues: {
    type: 'object',
    description:
      'Claims that must have a value, or one of several: { "token_use": "access" }. Default: none.',
    additionalProperties: oneOrMore('Allowed values.'),
  },
  leewaySeconds: { type: 'number', minimum: 0, maximum: 300, description: 'Leeway for times. Default: 5.' },
  cacheMs: { ...count('Time that a verified token is cached. Default: 60000.', 0), maximum: 60_000 },
  maxCached: count('Maximum number of cached tokens. Default: 10000.', 0),
  ...CLAIMS,
};

export const JWT: SmallSchema = {
  type: 'object',
  required: ['issuer', 'audience'],
  additionalProperties: false,
  description: 'JSON Web Tokens of one issuer.',
  properties: { ...ISSUER, ...JWT_CHANGES },
};

export const INTROSPECTION: SmallSchema = {
  type: 'object',
  required: ['issuer', 'audience', 'clientId', 'clientSecret'],
  additionalProperties: false,
  description: 'Opaque tokens: the authorization server is asked about each (RFC 7662).',
  properties: {
    ...ISSUER,
    endpoint: text("URL of the introspection endpoint. Default: that of the issuer's metadata."),
    clientId: text('Client id of this server at the authorization server.'),
    clientSecret: text('Its client secret: "${env:CLIENT_SECRET}".'),
    clientAuthentication: { enum: ['basic', 'post'], description: 'Default: basic.' },
    cacheMs: { ...count('Time that an active token is cached. Default: 0.', 0), maximum: 3_600_000 },
    maxCached: count('Maximum number of cached tokens. Default: 10000.', 0),
    ...CLAIMS,
  } satisfies Record<keyof IntrospectionConfig, SmallSchema>,
};
