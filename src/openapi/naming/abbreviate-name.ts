/** Words that add nothing to a name. */
const FILLERS: ReadonlySet<string> = new Set(
  'and api controller endpoint for from handler into of onto operation the with'.split(' '),
);

/** Common abbreviations. */
const SHORT_FORMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    account: 'acct',
    address: 'addr',
    administrator: 'admin',
    application: 'app',
    argument: 'arg',
    attribute: 'attr',
    authentication: 'authn',
    authority: 'auth',
    authorization: 'authz',
    average: 'avg',
    calculate: 'calc',
    category: 'cat',
    certificate: 'cert',
    command: 'cmd',
    configuration: 'config',
    connection: 'conn',
    create: 'crt',
    credential: 'cred',
    database: 'db',
    delete: 'del',
    department: 'dept',
    description: 'desc',
    destination: 'dest',
    development: 'dev',
    directory: 'dir',
    distribution: 'dist',
    document: 'doc',
    environment: 'env',
    execution: 'exec',
    function: 'func',
    generate: 'gen',
    group: 'grp',
    identifier: 'id',
    image: 'img',
    information: 'info',
    infrastructure: 'infra',
    initialize: 'init',
    library: 'lib',
    management: 'mgmt',
    maximum: 'max',
    message: 'msg',
    minimum: 'min',
    number: 'num',
    object: 'obj',
    organization: 'org',
    package: 'pkg',
    parameter: 'param',
    password: 'pwd',
    permission: 'perm',
    previous: 'prev',
    production: 'prod',
    property: 'prop',
    reference: 'ref',
    registration: 'reg',
    repository: 'repo',
    request: 'req',
    resource: 'res',
    response: 'resp',
    schedule: 'sched',
    security: 'sec',
    sequence: 'seq',
    service: 'svc',
    source: 'src',
    specification: 'spec',
    statistic: 'stat',
    subscription: 'sub',
    synchronization: 'sync',
    temporary: 'tmp',
    transaction: 'txn',
    update: 'upd',
    user: 'usr',
    utility: 'util',
    value: 'val',
    version: 'ver',
    vulnerability: 'vuln',
  }),
);

const PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^A-Za-z]+/g;
/** Shorter words are unreadable without their vowels. */
const LONGEST_WHOLE_WORD = 5;

/** Degree of abbreviation. */
export type AbbreviationStep = 'words' | 'vowels';

/**
 * Abbreviates common words of a name and removes fillers; at the step `vowels`, long words lose their vowels too. Case and separators stay,
 * and so does the first word, which is the verb.
 */
export function abbreviateName(name: string, step: AbbreviationStep): string {
  let result = '';
  for (const [part] of name.matchAll(PART)) {
    const isWord = /^[A-Za-z]/.test(part);
    if (isWord) {
      if (result === '' || !FILLERS.has(part.toLowerCase())) result += shorten(part, step);
    } else if (!isSeparator(part) || !isSeparator(result.slice(-1))) {
      // The separator before an omitted word is not repeated after it.
      result += part;
    }
  }
  return isSeparator(result.slice(-1)) && !isSeparator(name.slice(-1)) ? result.slice(0, -1) : result;
}

function isSeparator(text: string): boolean {
  return text === '_' || text === '-';
}

function shorten(word: string, step: AbbreviationStep): string {
  const small = word.toLowerCase();
  const short = SHORT_FORMS.get(small) ?? shortPlural(small);
  if (short !== undefined) return inCaseOf(word, short);
  if (step === 'words' || word.length <= LONGEST_WHOLE_WORD) return word;
  return word.charAt(0) + word.slice(1).replace(/[aeiou]/gi, '');
}

function shortPlural(word: string): string | undefined {
  if (!word.endsWith('s')) return undefined;
  const singles = [word.slice(0, -1), word.slice(0, -2), `${word.slice(0, -3)}y`];
  const single = singles.find((each) => SHORT_FORMS.has(each));
  return single === undefined ? undefined : `${SHORT_FORMS.get(single)}s`;
}

function inCaseOf(word: string, short: string): string {
  if (word === word.toUpperCase()) return short.toUpperCase();
  const isCapitalized = word.charAt(0) !== word.charAt(0).toLowerCase();
  return isCapitalized ? short.charAt(0).toUpperCase() + short.slice(1) : short;
}
