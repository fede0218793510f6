import type { Flag } from '../../terminal/command.ts';
import { TRANSPORT_FLAGS } from '../../target/transport-flags.ts';

/** A flag that may also be set by an environment variable. */
interface OwnFlag extends Flag {
  readonly variable?: string;
}

type OwnFlags = Readonly<Record<string, OwnFlag>>;

const text = (value: string, description: string, more: Partial<OwnFlag> = {}): OwnFlag => ({
  type: 'string',
  value,
  description,
  ...more,
});
const texts = (value: string, description: string, more: Partial<OwnFlag> = {}): OwnFlag =>
  text(value, description, { isMultiple: true, ...more });
const flag = (description: string, more: Partial<OwnFlag> = {}): OwnFlag => ({
  type: 'boolean',
  description,
  ...more,
});

const DOCUMENT: OwnFlags = {
  'openapi-spec': text('file or URL', 'The document; the same as the argument', {
    short: 's',
    variable: 'OPENAPI_SPEC_PATH',
  }),
  'spec-from-stdin': flag('Read the document from standard input; the same as "-"', {
    variable: 'OPENAPI_SPEC_FROM_STDIN',
  }),
  'spec-inline': text('text', 'The text of the document, JSON or YAML', { variable: 'OPENAPI_SPEC_INLINE' }),
  namespace: text('name', 'Prefix of every tool name, as in shop_getOrder'),
  'document-header': texts(
    'name: value',
    'Request header for fetching the document; sent only to its origin',
  ),
  overlay: texts('file or URL', 'OpenAPI Overlay to apply to the document'),
  'max-document-bytes': text('bytes', 'Maximum size of a document (default: 33554432, which is 32 MiB)'),
  'ref-root': texts('folder', 'Folder in which $ref may read files (default: the folder of the document)'),
  'ref-origin': texts('origin', 'Origin from which $ref may fetch (default: the origin of the document)'),
};

const API: OwnFlags = {
  'base-url': texts('url', 'Base URL of the API (default: the server in the document)', {
    variable: 'API_BASE_URL',
  }),
  'api-base-url': text('url', 'The same as --base-url', { short: 'u' }),
  'server-variable': texts('name=value', "Value of a variable in the document's server URLs"),
  'allow-private': texts('host', 'Private host, address or range to which requests are allowed'),
  timeout: text('ms', 'Timeout of a request to the API (default: 30000)'),
  'no-redirects': flag(
    'Do not follow redirects (default: GET and HEAD follow them within the origin of the API)',
  ),
  'no-slashes': flag('Reject slashes in path parameters (default: send them as %2F)'),
  validate: text(
    'strict/lenient',
    'lenient: ignore additionalProperties: false in conflicting parts of allOf (default: strict)',
  ),
  'max-response-chars': text(
    'count',
    'Maximum characters of a response in one result (default: 50000); continue_from returns the rest',
  ),
};

const CREDENTIALS: OwnFlags = {
  credential: texts(
    'scheme=value',
    'Credential of a security scheme: a key, a token, user:password, or env:NAME',
  ),
  'bearer-env': texts('NAME', 'Send "Authorization: Bearer …" with the value of this environment variable'),
  'client-credentials': texts(
    'scheme id=… secret=…',
    'OAuth 2 client credentials; optional: token-url=, scopes=, audience=, resource=, auth=post',
  ),
  headers: texts('name: value', 'Header of every request to the API, or several: k:v,k2:v2', {
    short: 'H',
    variable: 'API_HEADERS',
  }),
  'credential-origin': texts(
    'origin',
    'Another origin to which credentials may be sent (default: only that of the base URL)',
  ),
  'client-cert': text('file', 'Client certificate for the API, PEM', { variable: 'CLIENT_CERT_PATH' }),
  'client-key': text('file', 'Private key of the client certificate, PEM', { variable: 'CLIENT_KEY_PATH' }),
  'client-key-passphrase': text('text', 'Passphrase of the private key, or env:NAME', {
    variable: 'CLIENT_KEY_PASSPHRASE',
  }),
  'ca-cert': text(
    'file',
    'Certificate of a private certificate authority that signed the certificate of the API, PEM',
    {
      variable: 'CA_CERT_PATH',
    },
  ),
  'reject-unauthorized': text('true/false', 'Whether to verify the certificate of the API (default: true)', {
    variable: 'REJECT_UNAUTHORIZED',
  }),
};

const SELECTION: OwnFlags = {
  tools: text(
    'all/dynamic/explicit',
    'explicit: only operations of --tool; dynamic: three tools that list, describe and call (default: all)',
    {
      variable: 'TOOLS_MODE',
    },
  ),
  tool: texts(
    'name',
    'Only this tool name, operationId, "GET /pets/{id}" or GET::pets__---id; * matches any characters',
  ),
  tag: texts('tag', 'Only operations with this tag'),
  resource: texts('path', 'Only operations under this path: pets, or /pets'),
  operation: texts('method or name', 'Only operations with this method, or this operation'),
  method: texts('method', 'Only operations with this method'),
  'exclude-tag': texts('tag', 'Exclude operations with this tag'),
  'exclude-tool': texts('name', 'Exclude this tool'),
  'exclude-path': texts('path', 'Exclude operations with this path, such as "/admin/*"'),
};

const SHOWN: OwnFlags = {
  exposure: text(
    'flat/grouped/search/auto',
    'flat: one tool per operation; grouped: one per tag; search: three for all; auto: flat if small enough (default: flat)',
  ),
  pin: texts('name', 'With search and auto: also list this tool'),
  'grouped-schemas': text(
    'full/brief',
    'brief: groups list one line per action, and describe returns the rest; auto tries brief before search (default: full)',
  ),
  'schema-profile': text(
    'full/no-ref/no-union',
    'Remove $ref or unions, for clients that reject them (default: full)',
  ),
  abbreviate: text(
    'off/long/always',
    'Abbreviate words in tool names: never, in long names, or always (default: off)',
  ),
  'disable-abbreviation': flag('The same as --abbreviate off', { variable: 'DISABLE_ABBREVIATION' }),
  'output-schemas': flag('Advertise output schemas; the tool list then also contains the response schemas'),
  'strip-html': flag('Remove HTML from descriptions'),
};

const SERVER: OwnFlags = {
  name: text('name', 'Name of the server (default: the title of the API)', {
    short: 'n',
    variable: 'SERVER_NAME',
  }),
  'server-version': text('version', 'Version of the server (default: the version of the API)', {
    short: 'v',
    variable: 'SERVER_VERSION',
  }),
  prompts: text('file or URL', 'Array of prompts, JSON or YAML', { variable: 'PROMPTS_PATH' }),
  'prompts-inline': text('text', 'Array of prompts as text', { variable: 'PROMPTS_INLINE' }),
  resources: text('file or URL', 'Array of resources, JSON or YAML', { variable: 'RESOURCES_PATH' }),
  'resources-inline': text('text', 'Array of resources as text', { variable: 'RESOURCES_INLINE' }),
};

const HTTP_VARIABLES: Readonly<Record<string, string>> = {
  port: 'HTTP_PORT',
  host: 'HTTP_HOST',
  path: 'ENDPOINT_PATH',
};

const TRANSPORT: OwnFlags = {
  transport: text('stdio/http', 'Transport (default: stdio)', { short: 't', variable: 'TRANSPORT_TYPE' }),
  ...Object.fromEntries(
    Object.entries(TRANSPORT_FLAGS).map(([name, each]): [string, OwnFlag] => {
      const variable = HTTP_VARIABLES[name];
      return [name, variable === undefined ? each : { ...each, variable }];
    }),
  ),
};

const TRIAL: OwnFlags = {
  'dry-run': flag('Do not serve; show the outcome of each operation and its size in tokens'),
  report: text('file', 'Write the data of --dry-run to a file, as JSON'),
  strict: flag('Fail (exit code 1) if an operation is refused'),
  verbose: flag('Also list refused operations; with --dry-run, also those that filters leave out', {
    variable: 'VERBOSE',
  }),
  version: flag('Show the version of toolwright'),
};

const GROUPS: Readonly<Record<string, OwnFlags>> = {
  Document: DOCUMENT,
  API,
  Authentication: CREDENTIALS,
  Filters: SELECTION,
  Exposure: SHOWN,
  Server: { ...SERVER, ...TRANSPORT },
  Options: TRIAL,
};

const OWN_FLAGS = Object.entries(GROUPS).flatMap(([group, flags]) =>
  Object.entries(flags).map(([name, each]) => [name, { ...each, group }] as const),
);

/** Environment variables by flag. */
export const VARIABLES: ReadonlyMap<string, string> = new Map(
  OWN_FLAGS.flatMap(([name, { variable }]) => (variable === undefined ? [] : [[name, variable] as const])),
);

/** Flags of `toolwright openapi`. Each description names its environment variable. */
export const OPENAPI_FLAGS: Readonly<Record<string, Flag>> = Object.fromEntries(
  OWN_FLAGS.map(([name, { variable, description, ...rest }]) => [
    name,
    { ...rest, description: variable === undefined ? description : `${description} [${variable}]` },
  ]),
);
