import { ALL, HANDSHAKE, MODERN } from './requirement.ts';
import type { Requirements } from './requirement.ts';

/** Messages, and the metadata of every request of 2026-07-28. */
export const MESSAGES = {
  'rpc:parse-error': {
    behaviour: 'Text that is no JSON is answered with -32700 and no id; over HTTP with 400.',
    revisions: ALL,
    source: 'JSON-RPC 2.0: Error object',
  },
  'rpc:not-utf8': {
    behaviour: 'Bytes that are not UTF-8 are answered with -32700.',
    revisions: ALL,
    source: 'basic/transports: messages are UTF-8',
  },
  'rpc:invalid-request': {
    behaviour: 'JSON that is no request is answered with -32600; over HTTP with 400.',
    revisions: ALL,
    source: 'JSON-RPC 2.0: Error object',
  },
  'rpc:id:type': {
    behaviour: 'An id that is null, a fraction or an object is refused with -32600 and never echoed.',
    revisions: ALL,
    source: 'basic: Requests',
  },
  'rpc:id:echo': {
    behaviour: 'An answer has the id of its request, in value and type.',
    revisions: ALL,
    source: 'basic: Responses',
  },
  'rpc:id:in-use': {
    behaviour: 'An id whose request is not answered yet is refused with -32600.',
    revisions: ALL,
    source: 'basic: Requests',
  },
  'rpc:id:unknown': {
    behaviour: 'An error that belongs to no readable request has no id, not even null.',
    revisions: ALL,
    source: 'basic: Error responses',
  },
  'rpc:method-not-found': {
    behaviour: 'An unknown method is answered with -32601; over HTTP with 404 in 2026-07-28 and 200 before.',
    revisions: ALL,
    source: 'basic/transports/streamable-http: Protocol version header',
  },
  'rpc:limits': {
    behaviour:
      'JSON that is nested too deeply, has too many values or says a key of the message twice is refused with -32600.',
    revisions: ALL,
    source: 'own',
  },
  'stateless:discover': {
    behaviour: 'server/discover answers with versions, capabilities, cache hints and who the server is.',
    revisions: MODERN,
    source: 'server/discover',
  },
  'stateless:discover:capabilities': {
    behaviour: 'Only what is served is declared, and its methods alone are known.',
    revisions: MODERN,
    source: 'server/discover; server/prompts: Capabilities',
  },
  'stateless:no-handshake': {
    behaviour: 'Any request is served without one before it.',
    revisions: MODERN,
    source: 'SEP-2575; basic: Statelessness',
  },
  'stateless:meta:missing': {
    behaviour: 'A request without _meta is refused with -32602; over HTTP with 400.',
    revisions: MODERN,
    source: 'basic: _meta, per-request protocol fields',
  },
  'stateless:meta:version-missing': {
    behaviour: 'A request whose _meta lacks the protocol version is refused with -32602; over HTTP with 400.',
    revisions: MODERN,
    source: 'basic: _meta, per-request protocol fields',
  },
  'stateless:meta:capabilities-missing': {
    behaviour:
      'A request whose _meta lacks the client capabilities is refused with -32602; over HTTP with 400.',
    revisions: MODERN,
    source: 'basic: _meta, per-request protocol fields',
  },
  'stateless:meta:client-info-optional': {
    behaviour: 'A request whose _meta lacks clientInfo is served.',
    revisions: MODERN,
    source: 'basic: _meta, per-request protocol fields',
  },
  'stateless:meta:trace-context': {
    behaviour: 'traceparent in _meta reaches the handler.',
    revisions: MODERN,
    source: 'basic: OpenTelemetry trace context',
  },
  'stateless:version:unsupported': {
    behaviour:
      'An unknown version is refused with -32022, what is supported and what was requested; over HTTP with 400.',
    revisions: MODERN,
    source: 'basic/versioning: Protocol version negotiation',
  },
  'stateless:result-type': {
    behaviour: 'Every result says resultType.',
    revisions: MODERN,
    source: 'basic: ResultType',
  },
  'stateless:server-info': {
    behaviour: 'Every result says in _meta who sent it.',
    revisions: MODERN,
    source: 'basic: per-response protocol fields',
  },
  'stateless:capabilities-per-request': {
    behaviour: 'What an earlier request declared says nothing about a later one, on any connection.',
    revisions: MODERN,
    source: 'basic: Statelessness',
  },
  'stateless:capability-missing': {
    behaviour:
      'A request that needs an undeclared capability is refused with -32021 and the capability; over HTTP with 400.',
    revisions: MODERN,
    source: 'basic: _meta; schema: MissingRequiredClientCapabilityError',
  },
  'stateless:removed-methods': {
    behaviour:
      'initialize, ping, logging/setLevel, resources/subscribe and resources/unsubscribe are unknown: 404 and -32601.',
    revisions: MODERN,
    source: 'changelog; SEP-2575',
  },
  'stateless:reserved-codes': {
    behaviour: 'No code of earlier revisions (-32002, -32042) and none of -32000 to -32019 is sent.',
    revisions: MODERN,
    source: 'basic: Error codes',
  },
  'eras:no-modern-members': {
    behaviour: 'Results of earlier revisions have no resultType, no cache hints and no serverInfo.',
    revisions: HANDSHAKE,
    source: 'schema of 2025-11-25',
  },
  'eras:one-endpoint': {
    behaviour: 'Both eras are served on one endpoint, at the same time.',
    revisions: ALL,
    source: 'basic/versioning: Compatibility matrix',
  },
} as const satisfies Requirements;
