/** `toolwright/fetch`: servers as functions of web-standard requests; needs no Node. */
export { toFetchHandler } from './transport/http/to-fetch-handler.ts';
export type { FetchHandler } from './transport/http/to-fetch-handler.ts';
export { HTTP_DEFAULTS, refuse } from './transport/http/message/http-options.ts';
export type {
  Authenticate,
  AuthenticateRequest,
  ClientAddress,
  ClientAddressRequest,
  HttpOptions,
  Refusal,
  RefusalOptions,
  RouteHandler,
  SessionOptions,
  SseOptions,
} from './transport/http/message/http-options.ts';
export type { HttpContext } from './middleware/context.ts';
