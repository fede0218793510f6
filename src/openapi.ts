/** `toolwright/openapi`: generates tools from OpenAPI documents. */
export { fromOpenAPI } from './openapi/from-openapi.ts';
export type { OpenApiImport } from './openapi/from-openapi.ts';
export type { OperationCallOptions, OperationResponse } from './openapi/operation-caller.ts';
export type { FileReader, OpenApiOptions, ResourceTarget, ToolTarget } from './openapi/import-options.ts';
export { OPENAPI_DEFAULTS } from './openapi/openapi-defaults.ts';
export type { OpenApiDefaults } from './openapi/openapi-defaults.ts';
export { countOutcomes } from './openapi/model/import-report.ts';
export type { OpenApiReport, OperationReport } from './openapi/model/import-report.ts';
export type { DocumentSource } from './openapi/document/load-document.ts';
export type { DocumentLimits } from './openapi/document/parse/document-limits.ts';
export { StaticAuthProvider } from './openapi/auth/schemes/auth-provider.ts';
export type {
  AuthFailure,
  AuthHeaders,
  AuthProvider,
  AuthRequest,
} from './openapi/auth/schemes/auth-provider.ts';
export type { Credential } from './openapi/auth/credential.ts';
export { forwardAccessToken } from './openapi/auth/forward-access-token.ts';
export { tokenExchange } from './openapi/auth/tokens/token-exchange.ts';
export type { TokenExchangeOptions } from './openapi/auth/tokens/token-exchange.ts';
export type {
  ArgumentOverride,
  OperationKind,
  OperationOverride,
} from './openapi/selection/operation-override.ts';
export type { RouteMap } from './openapi/selection/route-maps.ts';
export type { Operation } from './openapi/model/operation.ts';
export { OutboundClient } from './outbound/outbound-client.ts';
export type { OutboundOptions } from './outbound/outbound-client.ts';
export { OpenAPIServer } from './server/openapi-server.ts';
export type { OpenApiServerOptions, OpenApiSource } from './server/openapi-server.ts';
export type { ReadFile } from './openapi/request/request-plan.ts';
