/** What kind of mistake a finding is. New ones may come, none changes its meaning. */
export type FindingReason =
  /** The value of an option is wrong. Most messages begin with the option and the path, joined by dots. */
  | 'invalid-option'
  /** There is no such option; `expected` are those that there are. */
  | 'unknown-option'
  /** The value of an option must be `expected`. */
  | 'wrong-value'
  /** Another definition has the name or the URI `received` already. */
  | 'duplicate-name'
  /** The document, the overlay or the file `received` that one of them refers to cannot be read, or is none. */
  | 'unreadable-document'
  /** The document `received` has more than `expected` bytes, which is the most that is read. */
  | 'document-too-large'
  /** A request would go to `received`, which is not a public address; `expected` is the host to allow. */
  | 'private-address'
  /** The server can be reached from other machines at `received`, and the hosts that it is called by are not named. */
  | 'hosts-not-named'
  /** Another program listens on the port `received`. */
  | 'port-in-use'
  /** The system does not let this user listen on the port `received`. */
  | 'port-not-allowed'
  /** The machine does not have the address `received`. */
  | 'no-such-address'
  /** The system does not let the server listen, for another reason. */
  | 'cannot-listen'
  /** Certificate and key cannot be used; `received` says why. */
  | 'unusable-certificate'
  /** A credential for a security scheme that the document does not have; `expected` are those that it has. */
  | 'unknown-security-scheme'
  /** A credential that does not fit its security scheme; `expected` says what does. */
  | 'unfit-credential'
  /** A credential for a security scheme that only an `AuthProvider` can serve. */
  | 'unsupported-security-scheme'
  /** A credential for a scheme that takes a client certificate. */
  | 'certificate-expected'
  /** A document sends the credential to `received`, an origin that was not named. */
  | 'untrusted-token-server'
  /** A credential that was not given; `expected` describes it. */
  | 'missing-credential'
  /** A client certificate that was not given; `expected` describes it. */
  | 'missing-certificate'
  /** A credential for a scheme that the document names and does not define. */
  | 'undefined-security-scheme'
  /** Requests go to `received`, an origin that credentials are not sent to. */
  | 'untrusted-origin'
  /** There is no address of the API; `received` says why. */
  | 'no-base-url'
  /** The server `received` has a variable without a value. */
  | 'missing-server-variable'
  /** No server has this variable; `expected` are names that are near. */
  | 'unknown-server-variable'
  /** The file `received` was not read; `expected` is the origin to allow. */
  | 'reference-origin'
  /** The file `received` was not read, because it is not in one of `expected`. */
  | 'reference-root'
  /** The entry `received` of a filter matches no operation; `expected` are names that are near. */
  | 'unmatched-entry'
  /** The option makes others, `received`, meaningless. */
  | 'ignored-options'
  /** An operation is left out: no entry of the option matches it. */
  | 'not-included'
  /** An operation is left out by the entry `received`. */
  | 'excluded'
  /** What was built cannot be changed any more. */
  | 'already-built'
  /** The operation of the document that `path` names, such as `['GET /pets']`, can be no tool and no resource. */
  | 'unusable-operation'
  /** An override for an operation that the document does not have; `expected` are names that are near. */
  | 'unknown-operation'
  /** An override for an argument that the operation does not have. */
  | 'unknown-argument';

/** What a message says, for programs. */
export interface FindingData {
  readonly reason: FindingReason;
  /** By its name in code: `baseUrl`, `references.origins`. */
  readonly option: string;
  /** Where in the option: `['api_key']`. */
  readonly path?: readonly (string | number)[];
  readonly expected?: string | readonly string[];
  /** Never a secret. */
  readonly received?: string | readonly string[];
}

/** Something that is wrong with an option, or that an option would help with: a sentence for people, the rest for programs. */
export interface Finding extends FindingData {
  /** As it stands in the message of an error, or in a report. */
  readonly message: string;
}

/** Writes the sentence of a finding. */
export type DescribeFinding = (finding: Finding) => string;

/** The sentences of the library. */
export const libraryWords: DescribeFinding = ({ message }) => message;

/** What an error says, its sentence about an option written by `describe`. */
export function sentenceOf(error: Saying, describe: DescribeFinding): string {
  const [own] = error.option === undefined ? [] : error.findings;
  return own === undefined ? error.message : describe(own);
}

/** An error with data: its own finding is the first. */
interface Saying {
  readonly message: string;
  readonly option?: string;
  readonly findings: readonly Finding[];
}

/** `credentials.api_key`: the option that a finding is about, by its name in code. */
export function optionPathOf({ option, path = [] }: Pick<Finding, 'option' | 'path'>): string {
  return [option, ...path].join('.');
}

/** A finding with other texts, such as cleaned ones. Options keep their names. */
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
