/** `toolwright/fetch`: servers as functions of web-standard requests; needs no Node. */
export { toFetchHandler } from './transport/http/to-fetch-handler.ts';
export type { FetchHandler } from './transport/http/to-fetch-handler.ts';
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
