import type { ToolwrightError } from '../../../errors/errors.ts';
import { optionPathOf, sentenceOf } from '../../../errors/finding.ts';
import type { DescribeFinding, Finding, FindingReason } from '../../../errors/finding.ts';
import { didYouMean, suggest } from '../../../errors/nearest-names.ts';
import { wordsOf } from '../../../errors/options/wrong-value.ts';

/** Options by the names that they have in code, and the flags that stand for them here. */
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
const GIVE_ADDRESS = 'Give the address of the API: --base-url (API_BASE_URL).';

/** What a sentence is written with. */
interface Parts {
  readonly finding: Finding;
  /** The flag, with the name within it: `--credential shop.api_key`. */
  readonly flag: string;
  /** The last part of the path. */
  readonly name: string;
  readonly expected: readonly string[];
  readonly received: readonly string[];
}

/** What the command line says of a finding; everything else is said in the words of the library. */
const SENTENCES: Readonly<Partial<Record<FindingReason, (parts: Parts) => string>>> = {
  'wrong-value': ({ flag, finding, received: [received] }) =>
    `${flag} must be ${wordsOf(finding.expected ?? [])}${received === undefined ? '' : `; received ${received}`}.`,
  'document-too-large': ({ received: [name = ''], expected: [bytes = ''] }) =>
    `${name} has more than ${bytes} bytes. To read it, allow more: --max-document-bytes ${2 * Number(bytes)}`,
  'private-address': ({ expected: [host = ''], received: [address = ''] }) => {
    const where = host.replace(/^\[|\]$/g, '') === address ? address : `${host} leads to ${address}, which`;
    return `${where} is not a public address, and private ones are not allowed. If it is meant: --allow-private ${host}`;
  },
  'hosts-not-named': ({ received: [host = ''] }) =>
    `The host "${host}" can be reached from other machines. Name the hosts it is called by: --allow-host api.example.com.`,
  'port-in-use': ({ flag, received: [port = ''] }) =>
    `Port ${port} is in use by another program. Choose another one with ${flag}; ${flag} 0 picks a free one.`,
  'port-not-allowed': ({ flag, received: [port = ''] }) =>
    `This user must not listen on port ${port}. Choose one from 1024 on with ${flag}; ${flag} 0 picks a free one.`,
  'no-such-address': ({ flag, received: [host = ''] }) =>
    `This machine has no address "${host}". Leave ${flag} out for 127.0.0.1, or use ${flag} 0.0.0.0 for all its addresses.`,
  'unusable-certificate': ({ received }) => `${CERTIFICATE} cannot be used: ${received.join(', ')}.`,
  'unknown-security-scheme': ({ name, expected }) => {
    const told = `--credential: the document has no security scheme "${name}".`;
    return expected.length === 0
      ? `${told} It has none at all: use --headers.`
      : `${told}${didYouMean(name, expected)} It has: ${listSome(expected)}.`;
  },
  'unfit-credential': ({ flag, expected }) =>
    `${flag} does not fit its security scheme. Give ${expected.join(', ')}.`,
  'unsupported-security-scheme': ({ flag, received }) =>
    `${flag}: ${received.join(', ')} authentication is not built in. Give its header with --headers, or write a server in code.`,
  'certificate-expected': ({ flag }) => `${flag}: a client certificate is given with ${CERTIFICATE}.`,
  'untrusted-token-server': ({ flag, received: [origin = ''] }) =>
    `${flag}: by the document, tokens come from ${origin}, which is not where the API is. To confirm it, give token-url=, or --credential-origin ${origin}.`,
  'missing-credential': ({ name, flag, expected }) =>
    `${name} (${expected.join(', ')}): give ${flag}=env:NAME`,
  'missing-certificate': ({ name, expected }) => `${name} (${expected.join(', ')}): give ${CERTIFICATE}`,
  'undefined-security-scheme': ({ name }) =>
    `${name} (which the document does not define): give it with --headers`,
  'untrusted-origin': ({ received: [origin = ''] }) =>
    `goes to ${origin}, which --credential-origin does not name: credentials are not sent there`,
  'no-base-url': ({ received: [why = ''] }) => `${why}. ${GIVE_ADDRESS}`,
  'missing-server-variable': ({ flag, name, received: [server = ''] }) =>
    `The server ${JSON.stringify(server)} needs a value for {${name}}: ${flag}=\u2026. Or: ${GIVE_ADDRESS}`,
  'unknown-server-variable': ({ name, expected }) =>
    `--server-variable: no server has a variable "${name}".${suggest(expected)}`,
  'reference-origin': ({ received: [file = ''], expected: [origin = ''] }) =>
    `${file} was not read: ${origin} is not among the origins that references may lead to. Add it to allow it: --ref-origin ${origin}`,
  'reference-root': ({ received: [file = ''], expected }) => {
    const where =
      expected.length === 0 ? 'no files may be read for references' : `it is not in ${expected.join(', ')}`;
    return `${file} was not read: ${where}. Add its folder to --ref-root to allow it.`;
  },
  'unmatched-entry': ({ flag, received, expected }) =>
    `${flag}: "${received.join(', ')}" matches no operation.${suggest(expected)}`,
  'ignored-options': ({ flag, received }) =>
    `${flag} says what is imported; beside it, ${received.map(flagOf).join(', ')} count for nothing.`,
  'not-included': ({ finding, flag }) =>
    finding.option === 'includeTools' ? `${flag} does not name it` : `nothing in ${flag} means it`,
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
 * What the command line says of a finding, written from its data. `document` is the name of the document, where it has one: it stands before
 * the names that belong to it.
 */
export function inFlags(finding: Finding, document?: string): string {
  const prefix = document === undefined ? '' : `${document}.`;
  const { option, path = [], expected = [], received = [], message } = finding;
  const optionPath = optionPathOf(finding);
  // An entry of a list has no name.
  const name = path.findLast((part) => typeof part === 'string') ?? '';
  const named = name === '' ? flagOf(option) : `${flagOf(option)} ${prefix}${name}`;
  const flag = FLAGS[optionPath] ?? named;
  const parts = { finding, flag, name, expected: [expected].flat(), received: [received].flat() };
  return SENTENCES[finding.reason]?.(parts) ?? message;
}

/**
 * The message of an error in the words of the command line. `flags` are those of the command: what it has no flag for is an option of a
 * configuration or of code, and keeps its name.
 */
export function errorInFlags(error: ToolwrightError, flags: Readonly<Record<string, unknown>>): string {
  const write: DescribeFinding = (finding) => {
    const flag = FLAGS[optionPathOf(finding)] ?? FLAGS[finding.option];
    const isKnown = flag !== undefined && Object.hasOwn(flags, flag.slice('--'.length));
    return isKnown ? inFlags(finding) : finding.message;
  };
  const [, why] = error.findings;
  // A document at an address that is not allowed: the flag is one for the address.
  if (error.reason === 'unreadable-document' && why !== undefined)
    return `${[error.received].flat().join(', ')} cannot be read. ${write(why)}`;
  return sentenceOf(error, write);
}
