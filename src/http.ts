/** `toolwright/http`: serves MCP with `node:http` and frameworks based on it. */
export { serveHttp } from './transport/http/serve-http.ts';
export type { RunningHttp, ServeHttpOptions } from './transport/http/serve-http.ts';
export { toNodeHandler } from './transport/http/to-node-handler.ts';
export type { NodeHandler } from './transport/http/to-node-handler.ts';
export { forwardedFor } from './transport/http/forwarded-for.ts';
export { anonymous, HTTP_DEFAULTS, refuse } from './transport/http/message/http-options.ts';
export type {
  Anonymous,
  Authenticate,
  AuthenticateRequest,
  ClientAddress,
  ClientAddressRequest,
  HttpOptions,
  Identity,
  Refusal,
  RefusalOptions,
  RouteHandler,
  SessionOptions,
  SseOptions,
} from './transport/http/message/http-options.ts';
export type { HttpContext } from './middleware/context.ts';
export type { StrayErrorPolicy } from './transport/stray-errors.ts';
