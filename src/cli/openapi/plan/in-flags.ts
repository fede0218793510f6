import type { ToolwrightError } from '../../../errors/errors.ts';
import { optionPathOf, sentenceOf } from '../../../errors/finding.ts';
import type { DescribeFinding, Finding, FindingReason } from '../../../errors/finding.ts';
import { didYouMean, suggest } from '../../../errors/nearest-names.ts';
import { wordsOf } from '../../../errors/options/wrong-value.ts';

/** Command-line flags by the path of the option in code. */
const FLAGS: Readonly<Record<string, string>> = {
  allowedHosts: '--allow-host',
  allowedOrigins: '--allow-origin',
  host: '--host',
  port: '--port',
  path: '--path',
  allowPrivate: '--allow-private',
  baseUrl: '--base-url',
  serverVariables: '--server-variable',
  credentials: '--credential',
  origins: '--credential-origin',
  headers: '--headers',
  tls: '--client-cert',
  'tls.ca': '--ca-cert',
  'limits.maxDocumentBytes': '--max-document-bytes',
  'references.origins': '--ref-origin',
  'references.roots': '--ref-root',
  includeTools: '--tool',
  includeTags: '--tag',
  includeResources: '--resource',
  includeOperations: '--operation',
  includeMethods: '--method',
  excludeTags: '--exclude-tag',
  excludeTools: '--exclude-tool',
  excludePaths: '--exclude-path',
};

const CERTIFICATE = '--client-cert and --client-key';
const GIVE_ADDRESS = 'Set the base URL of the API with --base-url (API_BASE_URL).';

/** Data of a finding for a message. */
interface Parts {
  readonly finding: Finding;
  /** The flag, with the name within it: `--credential shop.api_key`. */
  readonly flag: string;
  /** Last name in the path. */
  readonly name: string;
  readonly expected: readonly string[];
  readonly received: readonly string[];
}

/** Messages that name command-line flags; findings with other reasons keep the message of the library. */
const SENTENCES: Readonly<Partial<Record<FindingReason, (parts: Parts) => string>>> = {
  'wrong-value': ({ flag, finding, received: [received] }) =>
    `${flag} must be ${wordsOf(finding.expected ?? [])}${received === undefined ? '' : `; received ${received}`}.`,
  'document-too-large': ({ received: [name = ''], expected: [bytes = ''] }) =>
    `${name} has more than ${bytes} bytes. Increase the limit: --max-document-bytes ${2 * Number(bytes)}`,
  'private-address': ({ expected: [host = ''], received: [address = ''] }) => {
    const where =
      host.replace(/^\[|\]$/g, '') === address ? address : `${host} resolves to ${address}, which`;
    return `${where} is not a public address. To allow it: --allow-private ${host}`;
  },
  'hosts-not-named': ({ received: [host = ''] }) =>
    `The host "${host}" is reachable from other machines. Name the allowed Host headers: --allow-host api.example.com.`,
  'port-in-use': ({ flag, received: [port = ''] }) =>
    `Port ${port} is already in use. Choose another with ${flag}; ${flag} 0 picks a free port.`,
  'port-not-allowed': ({ flag, received: [port = ''] }) =>
    `This user is not allowed to listen on port ${port}. Choose one above 1023 with ${flag}; ${flag} 0 picks a free port.`,
  'no-such-address': ({ flag, received: [host = ''] }) =>
    `This machine has no address "${host}". Omit ${flag} for 127.0.0.1, or use ${flag} 0.0.0.0 for all addresses.`,
  'unusable-certificate': ({ received }) => `Invalid ${CERTIFICATE}: ${received.join(', ')}.`,
  'unknown-security-scheme': ({ name, expected }) => {
    const told = `--credential: unknown security scheme "${name}".`;
    return expected.length === 0
      ? `${told} The document has no security schemes: use --headers.`
      : `${told}${didYouMean(name, expected)} Security schemes: ${listSome(expected)}.`;
  },
  'unfit-credential': ({ flag, expected }) =>
    `${flag} does not match its security scheme: expected ${expected.join(', ')}.`,
  'unsupported-security-scheme': ({ flag, received }) =>
    `${flag}: ${received.join(', ')} authentication is not supported. Set its header with --headers, or write a server in code.`,
  'certificate-expected': ({ flag }) =>
    `${flag}: the security scheme needs a client certificate. Use ${CERTIFICATE}.`,
  'untrusted-token-server': ({ flag, received: [origin = ''] }) =>
    `${flag}: the token URL of the document is at ${origin}, which is not the origin of the API. To allow it, add token-url= or --credential-origin ${origin}.`,
  'missing-credential': ({ name, flag, expected }) =>
    `${name} (${expected.join(', ')}): add ${flag}=env:NAME`,
  'missing-certificate': ({ name, expected }) => `${name} (${expected.join(', ')}): add ${CERTIFICATE}`,
  'undefined-security-scheme': ({ name }) => `${name} (not defined in the document): add --headers`,
  'untrusted-origin': ({ received: [origin = ''] }) =>
    `${origin} is not in --credential-origin: credentials are not sent there`,
  'no-base-url': ({ received: [why = ''] }) => `${why}. ${GIVE_ADDRESS}`,
  'missing-server-variable': ({ flag, name, received: [server = ''] }) =>
    `Missing server variable "${name}" of ${JSON.stringify(server)}: add ${flag}=\u2026, or set the base URL of the API with --base-url (API_BASE_URL).`,
  'unknown-server-variable': ({ name, expected }) =>
    `--server-variable: unknown variable "${name}".${suggest(expected)}`,
  'reference-origin': ({ received: [file = ''], expected: [origin = ''] }) =>
    `${file} was not read: references to ${origin} are not allowed. To allow them: --ref-origin ${origin}`,
  'reference-root': ({ received: [file = ''], expected }) => {
    const where =
      expected.length === 0 ? 'references to files are not allowed' : `it is not in ${expected.join(', ')}`;
    return `${file} was not read: ${where}. To allow it, add its folder: --ref-root.`;
  },
  'unmatched-entry': ({ flag, received, expected }) =>
    `${flag}: "${received.join(', ')}" matches no operation.${suggest(expected)}`,
  'ignored-options': ({ flag, received }) =>
    `${flag} alone selects the operations: ${received.map(flagOf).join(', ')} ${received.length === 1 ? 'is' : 'are'} ignored.`,
  'not-included': ({ finding, flag }) =>
    finding.option === 'includeTools' ? `not in ${flag}` : `matches nothing in ${flag}`,
  excluded: ({ flag, received }) => `"${received.join(', ')}" is in ${flag}`,
};

const MAX_NAMED = 20;

function listSome(names: readonly string[]): string {
  return `${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ', \u2026' : ''}`;
}

function flagOf(option: string): string {
  return FLAGS[option] ?? option;
}

/**
 * The message of a finding, with command-line flags instead of options. `document` is the name of the document, if it has one; it is the
 * prefix of names that belong to it.
 */
export function inFlags(finding: Finding, document?: string): string {
  const prefix = document === undefined ? '' : `${document}.`;
  const { option, path = [], expected = [], received = [], message } = finding;
  const optionPath = optionPathOf(finding);
  // An array element has an index instead of a name.
  const name = path.findLast((part) => typeof part === 'string') ?? '';
  const named = name === '' ? flagOf(option) : `${flagOf(option)} ${prefix}${name}`;
  const flag = FLAGS[optionPath] ?? named;
  const parts = { finding, flag, name, expected: [expected].flat(), received: [received].flat() };
  return SENTENCES[finding.reason]?.(parts) ?? message;
}

/**
 * The message of an error, with command-line flags instead of options. `flags` are those of the command: an option without a flag is one of
 * a configuration or of code, and keeps its name.
 */
export function errorInFlags(error: ToolwrightError, flags: Readonly<Record<string, unknown>>): string {
  const write: DescribeFinding = (finding) => {
    const flag = FLAGS[optionPathOf(finding)] ?? FLAGS[finding.option];
    const isKnown = flag !== undefined && Object.hasOwn(flags, flag.slice('--'.length));
    return isKnown ? inFlags(finding) : finding.message;
  };
  const [, why] = error.findings;
  // A document at an address that is not allowed: the second finding names the flag that allows it.
  if (error.reason === 'unreadable-document' && why !== undefined)
    return `Cannot read ${[error.received].flat().join(', ')}. ${write(why)}`;
  return sentenceOf(error, write);
}
