import type { Flag } from '../../terminal/command.ts';
import { TRANSPORT_FLAGS } from '../../target/transport-flags.ts';

/** A flag that a variable of the environment can stand for. */
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
  'openapi-spec': text('file or URL', 'The document: the same as naming it', {
    short: 's',
    variable: 'OPENAPI_SPEC_PATH',
  }),
  'spec-from-stdin': flag('Read the document from standard input, as "-" does', {
    variable: 'OPENAPI_SPEC_FROM_STDIN',
  }),
  'spec-inline': text('text', 'The document itself, JSON or YAML', { variable: 'OPENAPI_SPEC_INLINE' }),
  namespace: text('name', 'Stands in front of the name of every tool, as in shop_getOrder'),
  'document-header': texts('name: value', 'A header for fetching the document; goes to its own server alone'),
  overlay: texts('file or URL', 'An OpenAPI Overlay that changes the document'),
  'max-document-bytes': text('bytes', 'The largest document that is read (33554432, which is 32 MiB)'),
  'ref-root': texts('folder', 'Where files may be that the document refers to (its own folder)'),
  'ref-origin': texts('origin', 'Where URLs may lead that the document refers to (its own server)'),
};

const API: OwnFlags = {
  'base-url': texts('url', 'Where the API is (what the document says)', { variable: 'API_BASE_URL' }),
  'api-base-url': text('url', 'The same as --base-url', { short: 'u' }),
  'server-variable': texts('name=value', "A variable in the addresses of the document's servers"),
  'allow-private': texts('host', 'A host, address or range that is not public and may be asked all the same'),
  timeout: text('ms', 'How long a request to the API may take (30000)'),
  'no-redirects': flag(
    'Follow no redirects of the API (those of GET and HEAD within its origin are followed)',
  ),
  'no-slashes': flag('Reject slashes in values of path parameters (they are sent as %2F)'),
  validate: text(
    'strict/lenient',
    'lenient: ignore additionalProperties: false in parts of allOf that forbid each other (strict)',
  ),
  'max-response-chars': text('count', 'How much of an answer is shown at once (50000); the rest on request'),
};

const CREDENTIALS: OwnFlags = {
  credential: texts(
    'scheme=value',
    'For a security scheme of the document: a key, a token, user:password, or env:NAME',
  ),
  'bearer-env': texts('NAME', 'Send "Authorization: Bearer …" with what this variable has'),
  'client-credentials': texts(
    'scheme id=… secret=…',
    'OAuth 2 client credentials; also token-url=, scopes=, audience=, resource=, auth=post',
  ),
  headers: texts('name: value', 'A header for every request to the API; or several: k:v,k2:v2', {
    short: 'H',
    variable: 'API_HEADERS',
  }),
  'credential-origin': texts(
    'origin',
    "Another server of the API that credentials may go to (the base URL's)",
  ),
  'client-cert': text('file', 'Client certificate for the API: PEM', { variable: 'CLIENT_CERT_PATH' }),
  'client-key': text('file', 'Its private key: PEM', { variable: 'CLIENT_KEY_PATH' }),
  'client-key-passphrase': text('text', 'Of the private key; or env:NAME', {
    variable: 'CLIENT_KEY_PASSPHRASE',
  }),
  'ca-cert': text('file', "The authority that signed the API's certificate, if it is a private one: PEM", {
    variable: 'CA_CERT_PATH',
  }),
  'reject-unauthorized': text('true/false', 'Whether the certificate of the API is checked (true)', {
    variable: 'REJECT_UNAUTHORIZED',
  }),
};

const SELECTION: OwnFlags = {
  tools: text(
    'all/dynamic/explicit',
    'explicit: only what --tool names; dynamic: three tools that list, describe and call (all)',
    {
      variable: 'TOOLS_MODE',
    },
  ),
  tool: texts('name', 'Only this: a tool, an operationId, "GET /pets/{id}" or GET::pets__---id; * for any'),
  tag: texts('tag', 'Only operations with this tag'),
  resource: texts('path', 'Only operations under this: pets, or /pets'),
  operation: texts('method or name', 'Only operations of this method, or this one'),
  method: texts('method', 'Only operations of this method'),
  'exclude-tag': texts('tag', 'No operations with this tag'),
  'exclude-tool': texts('name', 'Not this one'),
  'exclude-path': texts('path', 'No operations of this path, such as "/admin/*"'),
};

const SHOWN: OwnFlags = {
  exposure: text(
    'flat/grouped/search/auto',
    'flat: one tool each; grouped: one for each tag; search: three for all; auto: flat while that is small (flat)',
  ),
  pin: texts('name', 'With search and auto: list this tool beside the search tools'),
  'grouped-schemas': text(
    'full/brief',
    'brief: groups list a line for each action, and describe returns the rest; auto tries that before search (full)',
  ),
  'schema-profile': text('full/no-ref/no-union', 'For clients that reject $ref or unions (full)'),
  abbreviate: text('off/long/always', 'Short forms in the names of tools (off)'),
  'disable-abbreviation': flag('The same as --abbreviate off', { variable: 'DISABLE_ABBREVIATION' }),
  'output-schemas': flag('Tell clients what answers look like; makes lists many times larger'),
  'strip-html': flag('Take HTML out of descriptions'),
};

const SERVER: OwnFlags = {
  name: text('name', 'What the server is called (the title of the API)', {
    short: 'n',
    variable: 'SERVER_NAME',
  }),
  'server-version': text('version', 'The version of the server (that of the API)', {
    short: 'v',
    variable: 'SERVER_VERSION',
  }),
  prompts: text('file or URL', 'Prompts: a list, JSON or YAML', { variable: 'PROMPTS_PATH' }),
  'prompts-inline': text('text', 'Prompts: the list itself', { variable: 'PROMPTS_INLINE' }),
  resources: text('file or URL', 'Resources: a list, JSON or YAML', { variable: 'RESOURCES_PATH' }),
  'resources-inline': text('text', 'Resources: the list itself', { variable: 'RESOURCES_INLINE' }),
};

const HTTP_VARIABLES: Readonly<Record<string, string>> = {
  port: 'HTTP_PORT',
  host: 'HTTP_HOST',
  path: 'ENDPOINT_PATH',
};

const TRANSPORT: OwnFlags = {
  transport: text('stdio/http', 'How it is served (stdio)', { short: 't', variable: 'TRANSPORT_TYPE' }),
  ...Object.fromEntries(
    Object.entries(TRANSPORT_FLAGS).map(([name, each]): [string, OwnFlag] => {
      const variable = HTTP_VARIABLES[name];
      return [name, variable === undefined ? each : { ...each, variable }];
    }),
  ),
};

const TRIAL: OwnFlags = {
  'dry-run': flag('Serve nothing: show what becomes of each operation, and what it costs in tokens'),
  report: text('file', 'Write that to a file, as JSON'),
  strict: flag('Fail (exit code 1) if an operation is refused'),
  verbose: flag('Also list the operations that are refused; with --dry-run, those that are left out', {
    variable: 'VERBOSE',
  }),
  version: flag('Show the version of toolwright'),
};

const GROUPS: Readonly<Record<string, OwnFlags>> = {
  'The document': DOCUMENT,
  'The API': API,
  Authentication: CREDENTIALS,
  'Which operations': SELECTION,
  Exposure: SHOWN,
  'The server': { ...SERVER, ...TRANSPORT },
  Options: TRIAL,
};

const OWN_FLAGS = Object.entries(GROUPS).flatMap(([group, flags]) =>
  Object.entries(flags).map(([name, each]) => [name, { ...each, group }] as const),
);

/** The variables of the environment, by the flags that they stand for. */
export const VARIABLES: ReadonlyMap<string, string> = new Map(
  OWN_FLAGS.flatMap(([name, { variable }]) => (variable === undefined ? [] : [[name, variable] as const])),
);

/** Flags of `toolwright openapi`. Each says which variable stands for it. */
export const OPENAPI_FLAGS: Readonly<Record<string, Flag>> = Object.fromEntries(
  OWN_FLAGS.map(([name, { variable, description, ...rest }]) => [
    name,
    { ...rest, description: variable === undefined ? description : `${description} [${variable}]` },
  ]),
);
