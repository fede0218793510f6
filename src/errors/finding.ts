/** The reason of a finding. New reasons may be added; none changes its meaning. */
export type FindingReason =
  /** The value of an option is invalid. Most messages begin with the option and the path, joined by dots. */
  | 'invalid-option'
  /** The option is unknown; `expected` lists the known ones. */
  | 'unknown-option'
  /** The value of an option must be `expected`. */
  | 'wrong-value'
  /** Another definition already has the name or URI `received`. */
  | 'duplicate-name'
  /** The document, overlay or referenced file `received` cannot be read or parsed. */
  | 'unreadable-document'
  /** The document `received` is larger than the limit of `expected` bytes. */
  | 'document-too-large'
  /** A request would go to `received`, which is not a public address; `expected` is the host to allow. */
  | 'private-address'
  /** The server is reachable from other machines at `received`, and `allowedHosts` is not set. */
  | 'hosts-not-named'
  /** The port `received` is in use. */
  | 'port-in-use'
  /** This user is not allowed to listen on the port `received`. */
  | 'port-not-allowed'
  /** The machine does not have the address `received`. */
  | 'no-such-address'
  /** The server cannot listen, for another reason. */
  | 'cannot-listen'
  /** Certificate and key cannot be used; `received` is the reason. */
  | 'unusable-certificate'
  /** A credential for an unknown security scheme; `expected` lists those of the document. */
  | 'unknown-security-scheme'
  /** A credential of the wrong type for its security scheme; `expected` describes the right one. */
  | 'unfit-credential'
  /** A credential for a security scheme that only an `AuthProvider` supports. */
  | 'unsupported-security-scheme'
  /** A credential for a scheme that takes a client certificate. */
  | 'certificate-expected'
  /** The document would send the credential to `received`, an origin that is not allowed. */
  | 'untrusted-token-server'
  /** A credential is missing; `expected` describes it. */
  | 'missing-credential'
  /** A client certificate is missing; `expected` describes it. */
  | 'missing-certificate'
  /** A credential for a scheme that the document references but does not define. */
  | 'undefined-security-scheme'
  /** Requests go to `received`, an origin that does not receive credentials. */
  | 'untrusted-origin'
  /** The base URL of the API is unknown; `received` is the reason. */
  | 'no-base-url'
  /** The server `received` has a variable without a value. */
  | 'missing-server-variable'
  /** A server variable is unknown; `expected` lists similar names. */
  | 'unknown-server-variable'
  /** The file `received` was not loaded; `expected` is the origin to allow. */
  | 'reference-origin'
  /** The file `received` was not loaded, because it is outside the folders `expected`. */
  | 'reference-root'
  /** The filter entry `received` matches no operation; `expected` lists similar names. */
  | 'unmatched-entry'
  /** The option makes the options `received` ineffective. */
  | 'ignored-options'
  /** An operation is not included: no entry of the option matches it. */
  | 'not-included'
  /** An operation is excluded by the entry `received`. */
  | 'excluded'
  /** The server or tool is already built and cannot be changed. */
  | 'already-built'
  /** The operation at `path`, such as `['GET /pets']`, can become neither a tool nor a resource. */
  | 'unusable-operation'
  /** An override for an unknown operation; `expected` lists similar names. */
  | 'unknown-operation'
  /** An override for an unknown argument. */
  | 'unknown-argument';

/** The machine-readable data of a message. */
export interface FindingData {
  readonly reason: FindingReason;
  /** The name in code: `baseUrl`, `references.origins`. */
  readonly option: string;
  /** The path within the option: `['api_key']`. */
  readonly path?: readonly (string | number)[];
  readonly expected?: string | readonly string[];
  /** Never a secret. */
  readonly received?: string | readonly string[];
}

/** A problem with an option, or a hint that an option would help: a sentence, and machine-readable data. */
export interface Finding extends FindingData {
  /** The sentence, as in the message of an error or in a report. */
  readonly message: string;
}

/** Writes the sentence of a finding. */
export type DescribeFinding = (finding: Finding) => string;

/** The default sentences. */
export const libraryWords: DescribeFinding = ({ message }) => message;

/** The message of an error; `describe` writes the sentence of its own finding. */
export function sentenceOf(error: Saying, describe: DescribeFinding): string {
  const [own] = error.option === undefined ? [] : error.findings;
  return own === undefined ? error.message : describe(own);
}

/** An error with data; the first finding is its own. */
interface Saying {
  readonly message: string;
  readonly option?: string;
  readonly findings: readonly Finding[];
}

/** The option and path of a finding: `credentials.api_key`. */
export function optionPathOf({ option, path = [] }: Pick<Finding, 'option' | 'path'>): string {
  return [option, ...path].join('.');
}

/** A finding with changed texts, for example sanitized ones. Option names stay. */
export function withTexts(finding: Finding, change: (text: string) => string): Finding {
  const { path, expected, received } = finding;
  const changeAll = (texts: string | readonly string[]): string | readonly string[] =>
    typeof texts === 'string' ? change(texts) : texts.map(change);
  return {
    ...finding,
    message: change(finding.message),
    ...(path === undefined
      ? {}
      : { path: path.map((part) => (typeof part === 'string' ? change(part) : part)) }),
    ...(expected === undefined ? {} : { expected: changeAll(expected) }),
    ...(received === undefined ? {} : { received: changeAll(received) }),
  };
}
