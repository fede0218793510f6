import { stemmer } from 'stemmer';

/** A query is read up to here: nobody asks longer questions, and anybody may send anything. */
const MAX_QUERY_LENGTH = 500;
const MAX_QUERY_TERMS = 50;
/** What was meant counts less than what was said. */
const MEANT_WEIGHT = 0.4;

/**
 * English words that say nothing about what is looked for, and the tails that apostrophes leave behind. A short list: "before", "under"
 * or "until" do tell one description from another.
 */
const STOP_WORDS: ReadonlySet<string> = new Set(
  wordsOf(`a also am an and any are aren as at be been but by can could couldn d did didn do does doesn don for from had has hasn
    have haven he her him his how i if in into is isn it its just let ll m may me might must my no not of on or our please re s
    shall she should so some such t than that the their them then there these they this those to too us ve was wasn we were what
    when where which who whom whose why will with won would you your`),
);

/** Forms that no rule leads back to their word; without those that are words of their own, such as "left". */
const IRREGULAR_FORMS: ReadonlyMap<string, string> = new Map(
  wordsOf(`began:begin begun:begin bought:buy broke:break brought:bring built:build came:come chose:choose chosen:choose
    found:find gave:give given:give gone:go got:get held:hold kept:keep knew:know known:know lost:lose
    made:make men:man met:meet paid:pay people:person ran:run said:say seen:see sent:send sold:sell spent:spend
    spoke:speak stolen:steal stood:stand taken:take thought:think told:tell took:take went:go women:woman
    written:write wrote:write`).map((pair) => pair.split(':') as [string, string]),
);

/**
 * Everyday words and what APIs call it. General English only: the words of a trade belong to the synonyms of its actions, where the
 * author of the action puts them.
 */
const EVERYDAY_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    show: 'list get read',
    see: 'list get read',
    view: 'list get read',
    look: 'list get find',
    search: 'find list',
    fetch: 'get read download',
    remove: 'delete',
    erase: 'delete remove',
    forget: 'delete remove erase',
    drop: 'delete remove',
    add: 'create',
    new: 'create add',
    open: 'create start',
    start: 'create open begin run',
    begin: 'start',
    make: 'create set',
    change: 'update edit set move',
    edit: 'update change',
    correct: 'update change edit',
    fix: 'update repair resolve',
    rename: 'update change',
    push: 'move shift postpone reschedule',
    delay: 'postpone move reschedule',
    stop: 'cancel end disable pause block',
    finish: 'complete end close',
    quit: 'cancel end leave',
    off: 'disable stop',
    block: 'lock hold disable',
    undo: 'restore revert rollback',
    again: 'retry restart restore repeat',
    back: 'return restore revert',
    tell: 'send notify inform report',
    write: 'send message reply',
    mail: 'send email',
    ask: 'request send',
    sure: 'verify check confirm',
    buy: 'purchase order',
    broken: 'fault defect',
    every: 'recurring schedule',
    many: 'number count',
  }).map(([word, meant]) => [toStem(word), meant]),
);

/** How a question begins or ends; whoever asks wants to read. */
const QUESTION =
  /^\s*(?:what|which|who|whose|whom|how|when|where|why|is|are|does|did|do|will|has|have)\b|\?\s*$/i;
const READING_WORDS = 'list get return find';

/** Values and times in a query, and the fields that take such. */
const VALUES: readonly (readonly [value: RegExp, meant: string])[] = [
  [
    /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:yesterday|today|tomorrow|tonight)\b/i,
    'date day time',
  ],
  [/\b(?:january|february|april|june|july|august|september|october|november|december)\b/i, 'date period'],
  [/\b\d{1,2}:\d\d\b/, 'time'],
  [/[^\s@]@[^\s@]/, 'email address'],
  [/\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b/, 'ip address'],
  [/\+\d{2}/, 'phone number'],
  [/[$€£¥]|\b(?:dollar|euro|pound)s?\b/i, 'amount'],
];

/** Where a name changes from one word to the next: `orderId`, `parseXMLFile`. */
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;
/** A run of letters and digits. Chinese characters, which are written without spaces, are words by themselves. */
const WORD = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+/gu;

/** The words of a text, small; names are split at `_`, `.`, `-` and capitals. */
export function splitWords(text: string): string[] {
  return text.replaceAll(HUMP, ' ').toLowerCase().match(WORD) ?? [];
}

/** What a word is found under: its stem, so that "refunded" finds "refunds". Nothing for a word that says nothing. */
export function toTerm(word: string): string | undefined {
  return STOP_WORDS.has(word) ? undefined : toStem(word);
}

/** What a query looks for, each with its weight: the words that were said, then what they mean in an API. */
export function listQueryTerms(query: string): Map<string, number> {
  const text = query.slice(0, MAX_QUERY_LENGTH);
  const words = splitWords(text);
  const said = words.flatMap((word) => toTerm(word) ?? []);
  const meant = words.flatMap((word) => wordsOf(EVERYDAY_WORDS.get(toStem(word)) ?? ''));
  for (const [value, fields] of VALUES) if (value.test(text)) meant.push(...wordsOf(fields));

  const terms = new Map<string, number>();
  for (const term of said) terms.set(term, 1);
  for (const word of meant) addTerm(terms, toStem(word), MEANT_WEIGHT);
  if (QUESTION.test(text)) for (const word of wordsOf(READING_WORDS)) addTerm(terms, toStem(word), 1);
  return new Map([...terms].slice(0, MAX_QUERY_TERMS));
}

function addTerm(terms: Map<string, number>, term: string, weight: number): void {
  if (!terms.has(term)) terms.set(term, weight);
}

function toStem(word: string): string {
  return stemmer(IRREGULAR_FORMS.get(word) ?? word);
}

function wordsOf(text: string): string[] {
  return text.match(/\S+/g) ?? [];
}
