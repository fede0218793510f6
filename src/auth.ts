/** Authentication over HTTP: verifiers of credentials, and the resource server of OAuth 2.1. */
export { createApiKey, apiKeys, MemoryApiKeyStore } from './auth/api-keys.ts';
export type { ApiKeyOptions, ApiKeyRecord, ApiKeyStore, NewApiKeyOptions } from './auth/api-keys.ts';
export type { Authorize, Grants } from './auth/authorize.ts';
export type { ClaimNames, Claims } from './auth/claims.ts';
export { anyOf, custom } from './auth/combine.ts';
export type { IdentityFetch, IdentityFetchOptions } from './auth/identity-fetch.ts';
export { introspection } from './auth/introspection.ts';
export type { IntrospectionOptions } from './auth/introspection.ts';
export { issuerPreset } from './auth/issuer-presets.ts';
export type { IssuerPresetName, IssuerPresetParams } from './auth/issuer-presets.ts';
export { jwt, JWT_DEFAULTS } from './auth/jwt.ts';
export type { JwtOptions } from './auth/jwt.ts';
export type { AuthOptions } from './auth/protected-resource.ts';
export { trustedHeaders } from './auth/trusted-headers.ts';
export type { TrustedHeadersOptions } from './auth/trusted-headers.ts';
export type { CredentialRequest, Verdict, Verifier } from './auth/verifier.ts';
