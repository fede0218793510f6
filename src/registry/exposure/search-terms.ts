import { stemmer } from 'stemmer';

/** A query is read up to here: nobody asks longer questions, and anybody may send anything. */
const MAX_QUERY_LENGTH = 500;
const MAX_QUERY_TERMS = 50;
/** What was meant counts less than what was said. */
const MEANT_WEIGHT = 0.3;
/** On top of what both words count by themselves. */
const PAIR_WEIGHT = 0.3;
const LIGHT_WEIGHT = 0.65;
/** Numbers in a question are mostly identifiers and amounts; those in a document are examples. */
const NUMBER_WEIGHT = 0.3;

/**
 * English words that say nothing about what is looked for, and the tails that apostrophes leave behind. A short list: "before", "under"
 * or "until" do tell one description from another, and so do "who", "where" or "not".
 */
const STOP_WORDS: ReadonlySet<string> = new Set(
  wordsOf(`a also am an and any are aren as at be been but by can could couldn d did didn do does doesn don for from had has hasn
    have haven he her him his i if in into is isn it its just let ll m may me might must my of on or our please re s
    shall she should so some such t than that the their them then there these they this those to too us ve was wasn we were what
    which whom whose will with won would you your`),
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
 * Words of which everyday speech is full: persons, numbers, times, manners and verbs for everything. A catalog uses few of them, so that
 * the index takes them for rare and telling; they are neither. They still count, since "still", "twice" or "nobody" often decide between
 * two actions on one thing.
 */
const LIGHT_WORDS: ReadonlySet<string> = new Set(
  wordsOf(`able about across actually after again ago ahead all almost alone already always another anybody anyone anything around
    ask away bad because become before behind below best better between big both bring call come completely day different
    down each early easy either else enough even evening ever every everybody everyone everything exactly far fast feel few fine
    first five folks four full further get give go good great guy half hand happen hard head hear help here high home hour
    house hundred idea immediately important inside instead keep kind know lady large last late later least leave less like little
    long look lot low make man many matter maybe mean mind minute moment month more morning most mr mrs ms much name need never
    new next nice night nine nobody none noon nothing now number off often old once one only open other out over own part per
    person place point possible put quick quite rather ready real really rest right round same say second see seem seven several
    short show since sit six small somebody someone something soon sorry start stay still straight stuff sure take talk tell ten
    thank thing third thirty thousand three through till time today together tomorrow tonight top true try turn twelve twenty twice
    two under until up use very wait want way week weekend well whether while whole wish within without woman wonder word work
    world write wrong year yes yesterday yet young
    monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october
    november december spring summer autumn winter`).map((word) => toStem(word)),
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
    check: 'verify validate review',
    accept: 'approve',
    allow: 'grant approve',
    refuse: 'reject decline',
    choose: 'select pick',
    join: 'add invite',
    keep: 'store hold save',
    late: 'overdue delay',
    longer: 'extend',
    fewer: 'reduce',
    done: 'complete finish',
    over: 'end finish',
    picture: 'photo image',
    photo: 'image picture',
    image: 'picture photo',
    bill: 'invoice',
    cash: 'money pay',
    money: 'payment amount',
    wage: 'salary pay',
    client: 'customer',
    buyer: 'customer',
    shopper: 'customer',
    colleague: 'employee team',
    staff: 'employee',
    worker: 'employee',
    boss: 'manager',
    firm: 'company',
    job: 'task',
    ill: 'sick',
    vacation: 'holiday leave',
    holiday: 'vacation leave',
    meeting: 'appointment event',
    mobile: 'phone',
    text: 'message',
    box: 'parcel package',
    parcel: 'package shipment',
    package: 'parcel shipment',
    mistake: 'error wrong',
    error: 'mistake wrong',
    figure: 'number',
    login: 'password access',
    machine: 'server',
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
  [/[$\u20ac\u00a3\u00a5]|\b(?:dollar|euro|pound)s?\b/i, 'amount'],
];

const HAS_DIGIT = /\d/;
/** A capital within a sentence: a person, a place, a product. */
const NAME = /(?<=[^\s.!?:]\s)\p{Lu}\p{Ll}+/gu;
/** Where a name changes from one word to the next: `orderId`, `parseXMLFile`. */
const HUMP = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;
/** A run of letters and digits. Chinese characters, which are written without spaces, are words by themselves. */
const WORD = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])+/gu;

/** One term of a query. */
export interface QueryTerm {
  readonly term: string;
  readonly weight: number;
  /** False for what was only meant, for names and for numbers: their neighbours in the alphabet are other things. */
  readonly mayBeMisspelt: boolean;
}

/**
 * What the words of a text are found under, in order; names are split at `_`, `.`, `-` and capitals. Whoever reads many texts keeps the
 * terms that are known: finding a stem takes longer than all the rest.
 */
export function listTerms(text: string, known: Map<string, string | undefined> = new Map()): string[] {
  return splitWords(text).flatMap((word) => {
    if (!known.has(word)) known.set(word, toTerm(word));
    return known.get(word) ?? [];
  });
}

/**
 * Terms that stand side by side, in either order: "turn down" says more than "turn" and "down" far apart, and "the address is wrong" is
 * "wrong address".
 */
export function listPairs(terms: readonly string[]): string[] {
  return terms.slice(1).map((term, at) => {
    const before = terms[at] ?? '';
    return before < term ? `${before}+${term}` : `${term}+${before}`;
  });
}

/** What a query looks for: the words that were said, those that stand together, then what they mean in an API. */
export function listQueryTerms(query: string): QueryTerm[] {
  const text = query.slice(0, MAX_QUERY_LENGTH);
  const words = splitWords(text);
  const said = words.flatMap((word) => toTerm(word) ?? []).slice(0, MAX_QUERY_TERMS);
  const names = new Set((text.match(NAME) ?? []).map((name) => toStem(name.toLowerCase())));
  const meant = words.flatMap((word) => wordsOf(EVERYDAY_WORDS.get(toStem(word)) ?? ''));
  for (const [value, fields] of VALUES) if (value.test(text)) meant.push(...wordsOf(fields));
  if (QUESTION.test(text)) meant.push(...wordsOf(READING_WORDS));

  const terms = new Map<string, QueryTerm>();
  const add = (term: string, weight: number, mayBeMisspelt = false): void => {
    if (!terms.has(term)) terms.set(term, { term, weight, mayBeMisspelt });
  };
  for (const term of said) add(term, weightOf(term), isPlainWord(term) && !names.has(term));
  for (const pair of listPairs(said)) add(pair, PAIR_WEIGHT);
  for (const word of meant.slice(0, MAX_QUERY_TERMS)) add(toStem(word), MEANT_WEIGHT);
  return [...terms.values()];
}

function weightOf(term: string): number {
  if (HAS_DIGIT.test(term)) return NUMBER_WEIGHT;
  return LIGHT_WORDS.has(term) ? LIGHT_WEIGHT : 1;
}

/** Short words have too many neighbours. */
function isPlainWord(term: string): boolean {
  return term.length > 3 && !HAS_DIGIT.test(term);
}

function splitWords(text: string): string[] {
  return text.replaceAll(HUMP, ' ').toLowerCase().match(WORD) ?? [];
}

/** The stem of a word, so that "refunded" finds "refunds". Nothing for a word that says nothing. */
function toTerm(word: string): string | undefined {
  return STOP_WORDS.has(word) ? undefined : toStem(word);
}

function toStem(word: string): string {
  return stemmer(IRREGULAR_FORMS.get(word) ?? word);
}

function wordsOf(text: string): string[] {
  return text.match(/\S+/g) ?? [];
}
