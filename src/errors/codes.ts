/** The party that has to act on an error: the author of a tool, the client's protocol code, or the caller of the tool. */
export type ErrorFate = 'developer' | 'protocol' | 'caller';

/**
 * Every error code of Toolwright. Codes are stable: add new ones, never change the meaning of one. `docs/errors.md` lists the `when`
 * sentences; a test compares them.
 */
export const ERROR_CODES = {
  INVALID_DEFINITION: {
    fate: 'developer',
    when: 'A tool definition, a model or an option is incomplete or contradictory.',
  },
  UNSUPPORTED_SCHEMA: {
    fate: 'developer',
    when: 'A schema cannot be advertised as JSON Schema 2020-12 with an object at its root.',
  },
  DUPLICATE_NAME: {
    fate: 'developer',
    when: 'Two definitions, or two children of one group, have the same name or URI.',
  },
  GROUP_CYCLE: { fate: 'developer', when: 'A group would become its own descendant.' },
  NOT_A_PARENT: {
    fate: 'developer',
    when: 'A name was requested below a group that does not contain the item.',
  },
  MISSING_PEER: { fate: 'developer', when: 'A feature needs an optional package that is not installed.' },
  UNSUPPORTED_SERVER: {
    fate: 'developer',
    when: 'attachToServer received an object without setRequestHandler, or a server whose handlers can no longer be changed.',
  },
  INVALID_MIDDLEWARE: {
    fate: 'developer',
    when: 'A middleware called next() twice, or returned neither the value of next() nor a result of its own.',
  },
  UNKNOWN_TOOL: { fate: 'protocol', when: 'The called tool does not exist or is not visible to the caller.' },
  INSUFFICIENT_SCOPE: {
    fate: 'caller',
    when: 'The caller sees the tool and lacks scopes that the call needs.',
  },
  INVALID_ARGUMENTS: {
    fate: 'caller',
    when: 'The arguments do not match the advertised input schema, or cannot be sent to an API.',
  },
  DEFAULTS_FAILED: { fate: 'caller', when: 'The default argument resolver of the tool failed.' },
  RATE_LIMITED: { fate: 'caller', when: 'The caller has reached its rate limit for the current window.' },
  BUSY: { fate: 'caller', when: 'Too many calls of the tool are already running or waiting.' },
  CONFIRMATION_REFUSED: {
    fate: 'caller',
    when: 'The user declined, or the confirmation token was already used, has expired, or belongs to another call.',
  },
  ANONYMOUS_CALLER: {
    fate: 'caller',
    when: 'The handler stores data for its caller, and the caller is anonymous over HTTP.',
  },
  STATE_FULL: {
    fate: 'caller',
    when: 'There is no room for another value of the caller, or of all callers.',
  },
  TOOL_ERROR: { fate: 'caller', when: 'The handler threw a ToolError.' },
  TOOL_FAILED: {
    fate: 'developer',
    when: 'The handler threw an unexpected error; the details are in the log under the reference.',
  },
  TIMED_OUT: { fate: 'caller', when: 'The tool did not finish before its deadline.' },
  CANCELLED: { fate: 'caller', when: 'The caller cancelled the call.' },
  INVALID_OUTPUT: {
    fate: 'developer',
    when: 'The tool returned a value that does not match its output schema or cannot be serialized as JSON.',
  },
  INPUT_PENDING: {
    fate: 'caller',
    when: 'The call needs input that the client must send with another request.',
  },
  MISSING_CLIENT_CAPABILITY: {
    fate: 'protocol',
    when: 'The call needs a client capability that the client did not declare.',
  },
  INPUT_REFUSED: {
    fate: 'caller',
    when: 'The client sent no valid response to an elicitation, sampling or roots request.',
  },
  UNKNOWN_PROMPT: {
    fate: 'protocol',
    when: 'The prompt does not exist or is not visible to the caller.',
  },
  UNKNOWN_RESOURCE: {
    fate: 'protocol',
    when: 'No resource has this URI, or it is not visible to the caller.',
  },
  SERVER_CLOSED: { fate: 'developer', when: 'A server was used after it was closed.' },
  UPSTREAM_FAILED: {
    fate: 'caller',
    when: 'An upstream server could not be reached, or sent no valid response.',
  },
  UPSTREAM_LIMITED: {
    fate: 'caller',
    when: 'The configured limit of requests to an upstream server is reached.',
  },
  RESULT_TOO_LARGE: { fate: 'caller', when: 'The result exceeds the size limit.' },
} as const;

/** A code of {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The JSON-RPC code for text that is not valid JSON. */
export const JSON_RPC_PARSE_ERROR = -32700;
/** The JSON-RPC code for JSON that is not a valid request. */
export const JSON_RPC_INVALID_REQUEST = -32600;
/** The JSON-RPC code for an unknown method. */
export const JSON_RPC_METHOD_NOT_FOUND = -32601;
/** The MCP error code for a missing client capability (2026-07-28). */
export const MCP_MISSING_CLIENT_CAPABILITY = -32021;
/** The JSON-RPC code for an unknown tool and for invalid parameters. */
export const JSON_RPC_INVALID_PARAMS = -32602;
/** The JSON-RPC code for an internal error of the server. */
export const JSON_RPC_INTERNAL_ERROR = -32603;
