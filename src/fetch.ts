/** `toolwright/fetch`: serve as a function of a web-standard `Request`, on any runtime. */
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
