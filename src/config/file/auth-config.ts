import type { ApiKeyOptions } from '../../auth/api-keys.ts';
import type { IntrospectionOptions } from '../../auth/introspection.ts';
import type { IssuerPresetName, IssuerPresetParams } from '../../auth/issuer-presets.ts';
import type { JwtOptions } from '../../auth/jwt.ts';
import type { AuthOptions } from '../../auth/protected-resource.ts';
import type { TrustedHeadersOptions } from '../../auth/trusted-headers.ts';

/** A principal as data: of a process that is served over standard input and output, or of an API key. */
export interface PrincipalConfig {
  readonly id: string;
  readonly scopes?: readonly string[];
  readonly roles?: readonly string[];
  readonly tenant?: string;
}

interface ApiKeyShared {
  readonly principal: PrincipalConfig;
  /** A date such as `2027-01-31`, or milliseconds since 1970. Default: never. */
  readonly expiresAt?: number | string;
}

/** An API key of a configuration: itself, as a variable of the environment, or the prefix and the hash of `createApiKey`. */
export type ApiKeyConfig = ApiKeyShared &
  ({ readonly key: string } | { readonly prefix: string; readonly hash: string });

/** API keys: those of a JSON file with an array of records, or those that are listed. */
export type ApiKeysConfig = Pick<ApiKeyOptions, 'header'> &
  ({ readonly file: string } | { readonly keys: readonly ApiKeyConfig[] });

/** Options that a configuration cannot have: functions, and those of the outbound client. */
type Code = 'clock' | 'fetch' | 'outbound' | 'principalId';

export type JwtConfig = Omit<JwtOptions, Code>;
export type IntrospectionConfig = Omit<IntrospectionOptions, Code>;
export type TrustedHeadersConfig = Omit<TrustedHeadersOptions, 'address'>;

/** The name and the parameters of `issuerPreset`, and members of `jwt` that change its options. */
export type PresetConfig = Partial<Omit<JwtConfig, 'audience' | 'issuer'>> &
  {
    readonly [TName in IssuerPresetName]: { readonly name: TName } & IssuerPresetParams[TName];
  }[IssuerPresetName];

/** A verifier of `toolwright/auth` as data. */
export type VerifierConfig =
  | { readonly jwt: JwtConfig }
  | { readonly preset: PresetConfig }
  | { readonly introspection: IntrospectionConfig }
  | { readonly apiKeys: ApiKeysConfig }
  | { readonly trustedHeaders: TrustedHeadersConfig };

/** The members of which a verifier has one. */
export type VerifierKind = VerifierConfig extends infer TConfig
  ? TConfig extends unknown
    ? keyof TConfig
    : never
  : never;

/** Authentication over HTTP as data. */
export type AuthConfig = Omit<AuthOptions, 'authorize' | 'authorizeCacheMs' | 'verify'> &
  (VerifierConfig | { readonly anyOf: readonly VerifierConfig[] });
