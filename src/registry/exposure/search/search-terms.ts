import { stemmer } from 'stemmer';

/** Maximum length of a query; the rest is ignored. */
const MAX_QUERY_LENGTH = 500;
const MAX_QUERY_WORDS = 50;

/** English words without meaning for the search, and the endings after apostrophes. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  wordsOf(`a all also am an and any are as at be been but by can could d did do does for from had has have he her him his how i if
    in into is it its just let ll m may me might must my of on or our please re s shall she should so some such t than that the their them
    then there these they this those to too us ve want was we were what when where which who will with would you your`),
);

/** Classes of synonymous verbs: `show` finds `get`, `open` finds `create`. They include the HTTP methods. */
const VERBS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '#read': 'get list show read view fetch retrieve find search look see check download',
    '#create': `create add open new make post register insert generate store save send upload write give run start execute trigger
      launch`,
    '#update': 'update edit change modify set put patch rename',
    '#delete': 'delete remove close destroy drop erase detach unlink',
    '#stop': 'stop cancel disable pause revoke',
  }).flatMap(([name, verbs]) => wordsOf(verbs).map((verb) => [toStem(verb), name] as const)),
);

/** The class of most other verbs, such as `fork` or `schedule`. */
const DOING = '#create';

/** Word boundaries in camel case: `orderId`, `parseXMLFile`. */
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const LETTERS = /[\p{L}\p{M}\p{N}]+/gu;
/** A word in such a run. Each Chinese character is a word. */
const WORD = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+/gu;

/**
 * The stems of the words of a text in order, without stop words unless it has no others (`who_am_i`); names are split at `_`, `.`, `-` and
 * capitals. `known` caches the terms of each run of letters.
 */
export function listTerms(text: string, known: Map<string, string[]> = new Map()): string[] {
  const terms: string[] = [];
  const runs = text.match(LETTERS) ?? [];
  for (const run of runs) {
    let found = known.get(run);
    if (found === undefined) known.set(run, (found = toTerms(run)));
    // One by one: a run of Chinese characters may have more words than a call takes arguments.
    for (const term of found) terms.push(term);
  }
  return terms.length > 0 ? terms : runs.flatMap((run) => splitRun(run).map(toStem));
}

/** The distinct words of a query. */
export function listQueryTerms(query: string): string[] {
  return [...new Set(listTerms(query.slice(0, MAX_QUERY_LENGTH)).slice(0, MAX_QUERY_WORDS))];
}

/** The verb class of a query, whose name is a term that no text contains, and the verb itself. */
export interface Deed {
  readonly deed: string;
  /** If undefined, the class is a guess. */
  readonly verb?: string;
}

/** The class of the first verb. */
export function findDeed(terms: readonly string[]): Deed | undefined {
  for (const verb of terms) {
    const deed = VERBS.get(verb);
    if (deed !== undefined) return { verb, deed };
  }
  return undefined;
}

/** The same for a query. `fork a repository` is a command because of its article, so its verb changes something. */
export function findQueryDeed(query: string, terms: readonly string[]): Deed | undefined {
  const found = findDeed(terms);
  if (found !== undefined) return found;
  const [, first = 'a'] = COMMAND.exec(query) ?? [];
  return STOP_WORDS.has(first.toLowerCase()) ? undefined : { deed: DOING };
}

/** A word, then an article or determiner. */
const COMMAND = /^\s*(\p{L}+)\s+(?:an?|the|my|our|your|this|that|these|those|all|every|another|some)\s/iu;

function toTerms(run: string): string[] {
  return splitRun(run)
    .filter((word) => !STOP_WORDS.has(word))
    .map(toStem);
}

function splitRun(run: string): string[] {
  return run.replaceAll(HUMP, ' ').toLowerCase().match(WORD) ?? [];
}

/** Porter's stemmer keeps "reaction" and "creation" apart from "react" and "create". */
function toStem(word: string): string {
  const stem = stemmer(word);
  return stem.length >= 8 && /[st]ion$/.test(stem) ? stem.slice(0, -'ion'.length) : stem;
}

function wordsOf(text: string): string[] {
  return text.match(/\S+/g) ?? [];
}
