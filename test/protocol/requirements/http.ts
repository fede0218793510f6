import { ALL, HANDSHAKE, MODERN } from './requirement.ts';
import type { Requirements } from './requirement.ts';

/** Streamable HTTP, its headers and its gate. */
export const HTTP = {
  'http:post-only': {
    behaviour: 'GET and DELETE are answered with 405 and Allow.',
    revisions: MODERN,
    source: 'basic/transports/streamable-http: Earlier Streamable HTTP revisions',
  },
  'http:methods': {
    behaviour: 'Methods that HTTP has and MCP has not are answered with 405 and Allow.',
    revisions: ALL,
    source: 'RFC 9110',
  },
  'http:notification': {
    behaviour: 'A notification is answered with 202 and no body.',
    revisions: MODERN,
    source: 'basic/transports/streamable-http: Sending messages',
  },
  'http:one-message': {
    behaviour: 'A response or a batch from the client is refused with 400.',
    revisions: MODERN,
    source: 'basic/transports/streamable-http: Sending messages',
  },
  'http:accept': {
    behaviour: 'A POST that does not accept both JSON and event streams is answered with 406.',
    revisions: ALL,
    source: 'basic/transports/streamable-http: Sending messages',
  },
  'http:accept:wildcards': {
    behaviour: 'Wildcards, parameters and no Accept at all are taken for both.',
    revisions: ALL,
    source: 'RFC 9110: Accept',
  },
  'http:content-type': {
    behaviour: 'A body that is not declared as JSON is answered with 415; parameters of the type do no harm.',
    revisions: ALL,
    source: 'own',
  },
  'http:content-encoding': {
    behaviour: 'A compressed body is answered with 415.',
    revisions: ALL,
    source: 'own',
  },
  'http:too-large': {
    behaviour: 'A body that is too large is answered with 413, also when nobody said how long it is.',
    revisions: ALL,
    source: 'own',
  },
  'http:path': {
    behaviour: 'Other paths than that of the endpoint are answered with 404.',
    revisions: ALL,
    source: 'basic/transports/streamable-http: MCP endpoint',
  },
  'http:session-header-ignored': {
    behaviour: 'Mcp-Session-Id is ignored, and none is given out.',
    revisions: MODERN,
    source: 'basic/transports/streamable-http: Earlier Streamable HTTP revisions',
  },
  'http:last-event-id-ignored': {
    behaviour: 'Last-Event-ID is ignored, and events have no ids.',
    revisions: MODERN,
    source: 'basic/transports/streamable-http: Receiving messages',
  },
  'http:plain-json': {
    behaviour: 'A request without interim messages is answered with one JSON object.',
    revisions: ALL,
    source: 'basic/transports/streamable-http: Sending messages',
  },
  'http:stream': {
    behaviour: 'A request with interim messages is answered with a stream that the response ends.',
    revisions: MODERN,
    source: 'basic/transports/streamable-http: Receiving messages',
  },
  'http:stream:headers': {
    behaviour: 'Streams say X-Accel-Buffering: no and are not to be stored.',
    revisions: ALL,
    source: 'basic/transports/streamable-http: Receiving messages',
  },
  'http:stream:keep-alive': {
    behaviour: 'A quiet stream shows by comments that it is alive.',
    revisions: ALL,
    source: 'basic/transports/streamable-http: Receiving messages',
  },
  'http:stream:no-requests': {
    behaviour: 'The server never sends a request.',
    revisions: MODERN,
    source: 'basic/transports/streamable-http: Receiving messages',
  },
  'http:cancel-by-disconnect': {
    behaviour: 'A client that hangs up takes its request back.',
    revisions: MODERN,
    source: 'basic/transports/streamable-http: Cancellation',
  },
  'http:domain-errors': {
    behaviour: 'Errors of a method itself are answered with 200.',
    revisions: ALL,
    source: 'own',
  },
  'http:closing': {
    behaviour: 'A server that closes answers what it has and turns the rest away with 503.',
    revisions: ALL,
    source: 'own',
  },
  'http:loopback': {
    behaviour: 'The server listens on this machine alone, unless the hosts it is called by are named.',
    revisions: ALL,
    source: 'basic/transports/streamable-http: Security',
  },
  'headers:version:missing': {
    behaviour: 'A request without MCP-Protocol-Version is refused with 400 and -32020.',
    revisions: MODERN,
    source: 'SEP-2243; streamable-http: Server validation',
  },
  'headers:version:mismatch': {
    behaviour:
      'A version that differs from that of the body is refused with 400 and -32020, before it is found unsupported.',
    revisions: MODERN,
    source: 'streamable-http: Protocol version header',
  },
  'headers:mcp-method:missing': {
    behaviour: 'A request without Mcp-Method is refused with 400 and -32020.',
    revisions: MODERN,
    source: 'SEP-2243; streamable-http: Server validation',
  },
  'headers:mcp-method:mismatch': {
    behaviour: 'Mcp-Method that differs from the method, be it in case only, is refused with 400 and -32020.',
    revisions: MODERN,
    source: 'streamable-http: Case sensitivity',
  },
  'headers:mcp-method:plain': {
    behaviour: 'Mcp-Method is never encoded: an encoded one differs from the method.',
    revisions: MODERN,
    source: 'streamable-http: Server validation',
  },
  'headers:mcp-name:missing': {
    behaviour: 'tools/call, prompts/get and resources/read without Mcp-Name are refused with 400 and -32020.',
    revisions: MODERN,
    source: 'streamable-http: Standard request headers',
  },
  'headers:mcp-name:mismatch': {
    behaviour: 'Mcp-Name that differs from the name or URI of the body is refused with 400 and -32020.',
    revisions: MODERN,
    source: 'streamable-http: Server validation',
  },
  'headers:mcp-name:elsewhere': {
    behaviour: 'Other methods need no Mcp-Name.',
    revisions: MODERN,
    source: 'streamable-http: Standard request headers',
  },
  'headers:names': {
    behaviour: 'Names of headers are the same in small and large letters; spaces around values do not count.',
    revisions: MODERN,
    source: 'streamable-http: Case sensitivity; RFC 9110',
  },
  'headers:base64': {
    behaviour: 'Mcp-Name and Mcp-Param values in the base64 form are decoded before they are compared.',
    revisions: MODERN,
    source: 'streamable-http: Value encoding',
  },
  'headers:base64:invalid': {
    behaviour:
      'Base64 with wrong padding, foreign characters or bytes that are not UTF-8 is refused with 400 and -32020.',
    revisions: MODERN,
    source: 'streamable-http: Value encoding',
  },
  'headers:base64:markers': {
    behaviour: 'The markers count only as a pair and in small letters; anything else is taken literally.',
    revisions: MODERN,
    source: 'streamable-http: Value encoding',
  },
  'headers:characters': {
    behaviour: 'A value with characters that are not ASCII is refused with 400 and -32020.',
    revisions: MODERN,
    source: 'streamable-http: Server validation',
  },
  'headers:param:match': {
    behaviour:
      'Mcp-Param headers that say what the arguments say are accepted, for strings, integers, booleans and nested arguments.',
    revisions: MODERN,
    source: 'streamable-http: Custom headers from tool parameters',
  },
  'headers:param:mismatch': {
    behaviour: 'An Mcp-Param header that differs from its argument is refused with 400 and -32020.',
    revisions: MODERN,
    source: 'streamable-http: Server behavior for custom headers',
  },
  'headers:param:missing': {
    behaviour: 'An argument without its Mcp-Param header is refused with 400 and -32020.',
    revisions: MODERN,
    source: 'streamable-http: Server behavior for custom headers',
  },
  'headers:param:absent': {
    behaviour: 'For an argument that is absent or null no header is expected.',
    revisions: MODERN,
    source: 'streamable-http: Server behavior for custom headers',
  },
  'headers:param:integer': {
    behaviour: 'Integers are compared as numbers.',
    revisions: MODERN,
    source: 'streamable-http: Server validation',
  },
  'headers:param:unknown': {
    behaviour: 'Mcp-Param headers that no argument declares are ignored.',
    revisions: MODERN,
    source: 'streamable-http: Server behavior for custom headers',
  },
  'headers:param:definition': {
    behaviour: 'A tool whose x-mcp-header breaks a rule is refused when it is defined.',
    revisions: MODERN,
    source: 'streamable-http: Schema extension',
  },
  'headers:error-id': {
    behaviour: 'A request that is refused for its headers has its id echoed.',
    revisions: MODERN,
    source: 'streamable-http: Server validation',
  },
  'headers:earlier': {
    behaviour: 'Earlier revisions need none of these headers, and wrong ones do no harm.',
    revisions: HANDSHAKE,
    source: 'streamable-http: Server validation',
  },
  'gate:origin': {
    behaviour: 'A foreign Origin is answered with 403; none, one of this machine and one that is named pass.',
    revisions: ALL,
    source: 'streamable-http: Security',
  },
  'gate:host': {
    behaviour: 'A foreign Host is answered with 403; a malformed or doubled one with 400.',
    revisions: ALL,
    source: 'streamable-http: Security (DNS rebinding)',
  },
  'gate:cors': {
    behaviour: 'Only origins that are named get CORS headers, on answers and before.',
    revisions: ALL,
    source: 'own; Fetch standard',
  },
  'gate:health': {
    behaviour: 'GET of the health path says that the server is up, without authentication.',
    revisions: ALL,
    source: 'own',
  },
  'gate:authenticate': {
    behaviour: 'authenticate decides who calls, or answers with 401 and WWW-Authenticate.',
    revisions: ALL,
    source: 'basic/authorization; RFC 6750',
  },
  'gate:authenticate:fails-closed': {
    behaviour: 'authenticate that throws, takes too long or finds nobody lets nobody in.',
    revisions: ALL,
    source: 'own',
  },
} as const satisfies Requirements;
