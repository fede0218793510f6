import { isObject } from '../base/is-object.ts';
import { assertOptions, NON_EMPTY, oneOf, required } from '../errors/options/rules.ts';
import type { Rule, Rules } from '../errors/options/rules.ts';
import { wrongValue } from '../errors/options/wrong-value.ts';
import { STRING_OR_STRINGS } from './auth-rules.ts';
import type { JwtOptions } from './jwt.ts';

/** Audiences that tokens are accepted for. */
type Audience = string | readonly string[];

/** Parameters of {@link issuerPreset}, by the name of the identity provider. */
export interface IssuerPresetParams {
  /** Auth0. `audience` is the identifier of the API. */
  readonly auth0: {
    /** Domain of the tenant, or its custom domain: `acme.eu.auth0.com`. */
    readonly domain: string;
    readonly audience: Audience;
  };
  /** Better Auth with the plugins `jwt` and `oauthProvider`. */
  readonly 'better-auth': {
    /** Address of the Better Auth routes: `https://app.example.com/api/auth`. */
    readonly url: string;
    readonly audience: Audience;
  };
  /** Clerk. Its access tokens have no `aud`: name the OAuth applications that may call. */
  readonly clerk: {
    /** Address of the Frontend API: `clerk.example.com`, or `acme-1.clerk.accounts.dev`. */
    readonly domain: string;
    readonly clientId: Audience;
  };
  /** A user pool of Amazon Cognito. Its access tokens have no `aud` unless clients ask for a resource: name the app clients, or the resource. */
  readonly cognito: {
    /** Id of the user pool: `eu-west-1_AbCdEf123`. */
    readonly userPoolId: string;
  } & (
    | { readonly clientId: Audience; readonly audience?: undefined }
    | { readonly audience: Audience; readonly clientId?: undefined }
  );
  /** One tenant of Microsoft Entra ID. `audience` is the client id of the API (v2.0), or its application id URI (v1.0). */
  readonly entra: {
    /** Id of the tenant, a GUID: tokens name it, and neither a domain nor `common`. */
    readonly tenantId: string;
    readonly audience: Audience;
    /** `requestedAccessTokenVersion` of the API in its manifest. Default: `'v2.0'`. */
    readonly version?: 'v1.0' | 'v2.0';
    /** Application ID URI of the API, which clients write before a scope. Default: `api://<audience>`, or the audience if it is a URI. */
    readonly applicationIdUri?: string;
  };
  /** A realm of Keycloak. */
  readonly keycloak: {
    /** Address of Keycloak, with `/auth` where it has that path: `https://id.example.com`. */
    readonly url: string;
    readonly realm: string;
    readonly audience: Audience;
  };
  /** A custom authorization server of Okta. */
  readonly okta: {
    /** Domain of the organization, or its custom domain: `acme.okta.com`. */
    readonly domain: string;
    readonly audience: Audience;
    /** Id of the authorization server. Default: `'default'`. */
    readonly authorizationServerId?: string;
  };
  /** A project of Supabase with asymmetric signing keys. `audience` is `'authenticated'` unless a hook changes it. */
  readonly supabase: {
    /** Address of the project: `https://abc123.supabase.co`. */
    readonly url: string;
    readonly audience: Audience;
  };
  /** WorkOS AuthKit. */
  readonly workos: {
    /** Domain of AuthKit: `acme.authkit.app`. */
    readonly domain: string;
    readonly audience: Audience;
  };
}

/** Identity providers that {@link issuerPreset} knows. */
export type IssuerPresetName = keyof IssuerPresetParams;

/**
 * Options of `jwt` for an identity provider: issuer, keys, algorithms and claim names. They are plain data: spread them to change one. No request is
 * sent, and no SDK of the provider is needed.
 *
 * @example
 * const auth = jwt(issuerPreset('auth0', { domain: 'acme.eu.auth0.com', audience: 'https://api.example.com/mcp' }));
 */
export function issuerPreset<TName extends IssuerPresetName>(
  name: TName,
  params: IssuerPresetParams[TName],
): JwtOptions {
  if (!Object.hasOwn(PRESETS, name))
    throw wrongValue('issuerPreset', { option: 'name', expected: Object.keys(PRESETS), value: name });
  const { rules, toOptions } = PRESETS[name] as Preset<TName>;
  const owner = `issuerPreset('${name}')`;
  if (!isObject(params)) throw wrongValue(owner, { option: 'params', expected: 'an object', value: params });
  assertOptions(owner, params, rules);
  return toOptions(params, owner);
}

interface Preset<TName extends IssuerPresetName> {
  readonly rules: Rules;
  readonly toOptions: (params: IssuerPresetParams[TName], owner: string) => JwtOptions;
}

const DOMAIN: Rule = required([
  (value) => typeof value === 'string' && isHost(value),
  'a domain without scheme and path, such as "id.example.com"',
]);
const ADDRESS: Rule = [
  (value) =>
    typeof value === 'string' && URL.canParse(value) && /^https?:/.test(value) && !/[?#]/.test(value),
  'a URL such as "https://id.example.com"',
];
const AUDIENCE = required(STRING_OR_STRINGS);
const SEGMENT: Rule = required([
  (value) => typeof value === 'string' && /^[\w.~-]+$/.test(value),
  'an id of letters, digits, ".", "_", "~" and "-"',
]);

/** Each fact has its source in `test/unit/auth/issuer-presets.test.ts`. */
const PRESETS: { readonly [TName in IssuerPresetName]: Preset<TName> } = {
  auth0: {
    rules: { domain: DOMAIN, audience: AUDIENCE },
    toOptions: ({ domain, audience }) => ({
      issuer: `https://${domain}/`,
      audience,
      jwksUri: `https://${domain}/.well-known/jwks.json`,
      algorithms: ['RS256'],
      scopesClaim: 'scope',
      rolesClaim: 'permissions',
      tenantClaim: 'org_id',
    }),
  },
  'better-auth': {
    rules: { url: required(ADDRESS), audience: AUDIENCE },
    toOptions: ({ url, audience }) => ({
      issuer: withoutSlash(url),
      audience,
      jwksUri: `${withoutSlash(url)}/jwks`,
      algorithms: ['EdDSA'],
      typ: 'at+jwt',
      scopesClaim: 'scope',
    }),
  },
  clerk: {
    rules: { domain: DOMAIN, clientId: AUDIENCE },
    toOptions: ({ domain, clientId }) => ({
      issuer: `https://${domain}`,
      audience: clientId,
      audienceClaim: 'client_id',
      jwksUri: `https://${domain}/.well-known/jwks.json`,
      algorithms: ['RS256'],
      // Session tokens of browsers are signed with the same key, as `JWT`.
      typ: 'at+jwt',
      scopesClaim: ['scp', 'scope'],
    }),
  },
  cognito: {
    rules: {
      userPoolId: required([
        (value) => typeof value === 'string' && USER_POOL.test(value),
        'the id of a user pool such as "eu-west-1_AbCdEf123"',
      ]),
      clientId: STRING_OR_STRINGS,
      audience: STRING_OR_STRINGS,
    },
    toOptions: ({ userPoolId, clientId, audience }, owner) => {
      const region = USER_POOL.exec(userPoolId)?.groups?.['region'] ?? '';
      const issuer = `https://cognito-idp.${region}.amazonaws.com/${userPoolId}`;
      if ((clientId === undefined) === (audience === undefined))
        throw wrongValue(owner, {
          option: 'clientId',
          expected: 'the id of an app client, or audience the URL of this server: one of them, not both',
        });
      return {
        issuer,
        ...(audience === undefined ? { audience: clientId, audienceClaim: 'client_id' } : { audience }),
        jwksUri: `${issuer}/.well-known/jwks.json`,
        algorithms: ['RS256'],
        // ID tokens are signed with the same key.
        requiredValues: { token_use: 'access' },
        scopesClaim: 'scope',
        rolesClaim: 'cognito:groups',
      };
    },
  },
  entra: {
    rules: {
      tenantId: required([
        (value) => typeof value === 'string' && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value),
        'the id of one tenant, a GUID: neither a domain nor "common" is in tokens',
      ]),
      audience: AUDIENCE,
      version: oneOf('v1.0', 'v2.0'),
      applicationIdUri: NON_EMPTY,
    },
    toOptions: ({ tenantId, audience, version = 'v2.0', applicationIdUri }) => {
      const tenant = tenantId.toLowerCase();
      const [first = ''] = [audience].flat();
      const uri = applicationIdUri ?? (first.includes(':') ? first : `api://${first}`);
      const address = 'https://login.microsoftonline.com';
      return {
        ...(version === 'v2.0'
          ? { issuer: `${address}/${tenant}/v2.0`, jwksUri: `${address}/${tenant}/discovery/v2.0/keys` }
          : { issuer: `https://sts.windows.net/${tenant}/`, jwksUri: `${address}/common/discovery/keys` }),
        audience,
        algorithms: ['RS256'],
        scopesClaim: 'scp',
        scopePrefix: `${withoutSlash(uri)}/`,
        rolesClaim: 'roles',
        tenantClaim: 'tid',
      };
    },
  },
  keycloak: {
    rules: { url: required(ADDRESS), realm: required(NON_EMPTY), audience: AUDIENCE },
    toOptions: ({ url, realm, audience }) => {
      const issuer = `${withoutSlash(url)}/realms/${encodeURIComponent(realm)}`;
      return {
        issuer,
        audience,
        jwksUri: `${issuer}/protocol/openid-connect/certs`,
        algorithms: ['RS256'],
        // ID tokens are signed with the same key; their claim `typ` is `ID`.
        requiredValues: { typ: 'Bearer' },
        scopesClaim: 'scope',
        rolesClaim: 'realm_access.roles',
      };
    },
  },
  okta: {
    rules: {
      domain: DOMAIN,
      audience: AUDIENCE,
      authorizationServerId: [(value) => SEGMENT[0](value), SEGMENT[1]],
    },
    toOptions: ({ domain, audience, authorizationServerId = 'default' }) => {
      const issuer = `https://${domain}/oauth2/${authorizationServerId}`;
      return {
        issuer,
        audience,
        jwksUri: `${issuer}/v1/keys`,
        algorithms: ['RS256'],
        scopesClaim: 'scp',
        rolesClaim: 'groups',
      };
    },
  },
  supabase: {
    rules: { url: required(ADDRESS), audience: AUDIENCE },
    toOptions: ({ url, audience }) => {
      const issuer = `${withoutSlash(url)}/auth/v1`;
      return {
        issuer,
        audience,
        jwksUri: `${issuer}/.well-known/jwks.json`,
        algorithms: ['ES256', 'RS256'],
        scopesClaim: 'scope',
        rolesClaim: 'role',
      };
    },
  },
  workos: {
    rules: { domain: DOMAIN, audience: AUDIENCE },
    toOptions: ({ domain, audience }) => ({
      issuer: `https://${domain}`,
      audience,
      jwksUri: `https://${domain}/oauth2/jwks`,
      algorithms: ['RS256'],
      scopesClaim: 'scope',
      rolesClaim: 'roles',
      tenantClaim: 'org_id',
    }),
  },
};

const USER_POOL = /^(?<region>[a-z]{2}(?:-[a-z]+)+-\d+)_[a-z\d]+$/i;

/** Whether a text is a host, with or without a port, and nothing else of a URL. */
function isHost(text: string): boolean {
  const url = `https://${text}`;
  return URL.canParse(url) && new URL(url).host === text.toLowerCase();
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? withoutSlash(url.slice(0, -1)) : url;
}
