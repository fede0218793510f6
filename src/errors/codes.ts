/** Who has to act on an error: the author of a tool, the client's protocol code, or the caller of the tool. */
export type ErrorFate = 'developer' | 'protocol' | 'caller';

/**
 * `when` says in one sentence when it happens; `docs/errors.md` shows the same sentence, and a test compares them.
 *
 * Every error code Toolwright gives out. Codes are stable for ever: add new ones, never change the meaning of one.
 */
export const ERROR_CODES = {
  INVALID_DEFINITION: {
    fate: 'developer',
    when: 'A tool definition, a model or an option is incomplete or contradicts itself.',
  },
  UNSUPPORTED_SCHEMA: {
    fate: 'developer',
    when: 'A schema cannot be advertised as JSON Schema 2020-12 with an object at its root.',
  },
  DUPLICATE_NAME: {
    fate: 'developer',
    when: 'Two definitions, or two children of one group, claim one name.',
  },
  GROUP_CYCLE: { fate: 'developer', when: 'A group would become its own descendant.' },
  NOT_A_PARENT: {
    fate: 'developer',
    when: 'A name was asked for below a group that does not hold the item.',
  },
  MISSING_PEER: { fate: 'developer', when: 'A feature needs an optional package that is not installed.' },
  UNSUPPORTED_SERVER: {
    fate: 'developer',
    when: 'attachToServer was given something without setRequestHandler, or a server that can no longer be changed.',
  },
  INVALID_MIDDLEWARE: {
    fate: 'developer',
    when: 'A middleware called next() twice, or returned neither its result nor an answer of its own.',
  },
  UNKNOWN_TOOL: { fate: 'protocol', when: 'The called tool does not exist or is not visible to the caller.' },
  INSUFFICIENT_SCOPE: {
    fate: 'caller',
    when: 'The caller sees the tool and lacks scopes that the call needs.',
  },
  INVALID_ARGUMENTS: {
    fate: 'caller',
    when: 'The arguments do not fit the advertised input schema, or cannot be sent to an API.',
  },
  DEFAULTS_FAILED: { fate: 'caller', when: 'The default argument resolver of the tool failed.' },
  RATE_LIMITED: { fate: 'caller', when: 'The caller has used up its calls for the current window.' },
  BUSY: { fate: 'caller', when: 'Too many calls of the tool are running or waiting already.' },
  CONFIRMATION_REFUSED: {
    fate: 'caller',
    when: 'A confirmation token was used already, has expired, or was given for another call.',
  },
  TOOL_ERROR: { fate: 'caller', when: 'The tool reported a failure on purpose.' },
  TOOL_FAILED: {
    fate: 'developer',
    when: 'The tool threw something unexpected; the details are in the log under the reference.',
  },
  TIMED_OUT: { fate: 'caller', when: 'The tool did not finish before its deadline.' },
  CANCELLED: { fate: 'caller', when: 'The caller cancelled the call.' },
  INVALID_OUTPUT: {
    fate: 'developer',
    when: 'The tool returned a value that does not fit its output schema or cannot be sent as JSON.',
  },
  INPUT_PENDING: {
    fate: 'caller',
    when: 'The call needs input that the client has to bring with another request.',
  },
  MISSING_CLIENT_CAPABILITY: {
    fate: 'protocol',
    when: 'The call needs something of the client that the client did not declare.',
  },
  INPUT_REFUSED: {
    fate: 'caller',
    when: 'The client gave no usable answer to a question of the tool.',
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
    when: 'A server that the tool needs could not be reached, or gave no usable answer.',
  },
  UPSTREAM_LIMITED: {
    fate: 'caller',
    when: 'The tool may send no more requests to another server for the moment.',
  },
  RESULT_TOO_LARGE: { fate: 'caller', when: 'The result is larger than the registry allows.' },
} as const;

/** A code of {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The JSON-RPC code for text that is not valid JSON. */
export const JSON_RPC_PARSE_ERROR = -32700;
/** The JSON-RPC code for JSON that is not a request. */
export const JSON_RPC_INVALID_REQUEST = -32600;
/** The JSON-RPC code for a method that does not exist. */
export const JSON_RPC_METHOD_NOT_FOUND = -32601;
/** The protocol's code for a client that lacks something it was asked for (2026-07-28). */
export const MCP_MISSING_CLIENT_CAPABILITY = -32021;
/** The JSON-RPC code for an unknown tool and for invalid parameters. */
export const JSON_RPC_INVALID_PARAMS = -32602;
/** The JSON-RPC code for a failure inside the server. */
export const JSON_RPC_INTERNAL_ERROR = -32603;
