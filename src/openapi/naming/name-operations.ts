import { DefinitionError } from '../../errors/errors.ts';
import { wrongValue } from '../../errors/options/wrong-value.ts';
import type { Operation } from '../model/operation.ts';
import { abbreviateName } from './abbreviate-name.ts';
import { cutName, toSafeName } from './safe-name.ts';
import { SHORT_HASH_LENGTH, shortHash } from './short-hash.ts';

/** How operations are named. */
export interface NameOptions {
  /** A name that somebody chose for an operation; it is kept wherever it is possible. */
  readonly chosen?: ((operation: Operation) => string | undefined) | undefined;
  /** Stands before every name and counts towards its length: `github_`. */
  readonly prefix?: string | undefined;
  /** 1 to 128. Default: 64, which is what every model vendor takes. */
  readonly maxLength?: number | undefined;
  /** Short forms for common words: never, in names that are too long, or in all. Names that were chosen keep theirs. Default: `off`. */
  readonly abbreviate?: 'off' | 'long' | 'always' | undefined;
  /** Names that belong to others. */
  readonly reserved?: ReadonlySet<string> | undefined;
}

/**
 * How strong the claim to a name is: somebody chose it, it is the `operationId` itself, it was made of that, it was made of the path.
 */
const CHOSEN = 0;
const EXACT = 1;
const DERIVED = 2;
const MADE_UP = 3;

interface Wish {
  readonly operation: Operation;
  /** Without the prefix. */
  readonly base: string;
  readonly claim: number;
}

interface Rules {
  readonly prefix: string;
  readonly maxLength: number;
  readonly abbreviate: 'off' | 'long' | 'always';
  /** In small letters, as every comparison of names: there are clients that write them so. */
  readonly reserved: ReadonlySet<string>;
}

const FORBIDDEN = /[^A-Za-z0-9_-]+/g;
/** Longer than any document has operations of one name; a tool's name of one letter runs out of letters long before. */
const MAX_TRIES = 1000;

/**
 * A name for each operation, of letters, digits, `_` and `-`, unique whatever its case.
 *
 * Names have to stay when other operations come and go, so each is made of its own operation alone, and only operations that want the same
 * one look at each other. Then the strongest claim keeps it and the others end with a hash of their key. Where several claims are the
 * strongest (an `operationId` used twice, two paths that look alike), all of them get a hash. Letting one of them keep the name, the first
 * or the smallest, would rename fewer; but then the name would pass to another operation as soon as that one leaves or a smaller one
 * comes, and who calls it would silently do something else. So a name that is no longer right is rather not there at all. The one name
 * that can pass on is one that was made of an `operationId` (`get/user`), when an operation comes that is really called so (`get_user`).
 */
export function nameOperations(
  operations: readonly Operation[],
  options: NameOptions = {},
): ReadonlyMap<Operation, string> {
  const rules = readRules(options);
  const groups = new Map<string, Wish[]>();
  const others: Wish[] = [];
  for (const operation of operations) {
    const wish = toWish(operation, rules, options.chosen);
    const name = (rules.prefix + wish.base).toLowerCase();
    const group = groups.get(name);
    if (name.length > rules.maxLength || rules.reserved.has(name)) others.push(wish);
    else if (group === undefined) groups.set(name, [wish]);
    else group.push(wish);
  }

  const names = new Map<Operation, string>();
  const taken = new Set(rules.reserved);
  for (const [name, wishes] of groups) {
    const winner = findWinner(wishes);
    if (winner !== undefined) {
      names.set(winner.operation, rules.prefix + winner.base);
      taken.add(name);
    }
    for (const wish of wishes) if (wish !== winner) others.push(wish);
  }
  // Two hashes are as good as never equal; should they be, the order of the document must not decide.
  for (const wish of others.toSorted((a, b) => compareTexts(a.operation.key, b.operation.key)))
    names.set(wish.operation, findHashedName(wish, rules, taken));
  return new Map(operations.map((operation) => [operation, names.get(operation) ?? '']));
}

function readRules(options: NameOptions): Rules {
  const { prefix = '', maxLength = 64, abbreviate = 'off', reserved = new Set<string>() } = options;
  if (!Number.isInteger(maxLength) || maxLength < 1 || maxLength > 128)
    throw wrongValue('fromOpenAPI', {
      option: 'maxNameLength',
      expected: 'an integer from 1 to 128',
      value: maxLength,
    });
  if (prefix !== '' && !/^[A-Za-z_][A-Za-z0-9_-]*$/.test(prefix))
    throw wrongValue('fromOpenAPI', {
      option: 'namespace',
      expected: 'letters, digits, "_" and "-", and begin with a letter or "_"',
      value: prefix,
    });
  if (prefix.length >= maxLength)
    throw new DefinitionError(
      `The prefix "${prefix}" leaves no room for a name of at most ${maxLength} characters. Choose a shorter one.`,
      { option: 'namespace' },
    );
  return {
    prefix,
    maxLength,
    abbreviate,
    reserved: new Set([...reserved].map((name) => name.toLowerCase())),
  };
}

function toWish(operation: Operation, rules: Rules, choose: NameOptions['chosen']): Wish {
  const chosen = toUsable(choose?.(operation), operation, rules);
  if (chosen !== '') return { operation, base: chosen, claim: CHOSEN };
  const { operationId } = operation;
  const own = toUsable(operationId, operation, rules);
  if (own === '') return { operation, base: abbreviate(nameOfPath(operation), rules), claim: MADE_UP };
  const base = abbreviate(own, rules);
  return { operation, base, claim: base === operationId ? EXACT : DERIVED };
}

/** The name as vendors take it, or an empty text if nothing of it is left. */
function toUsable(name: string | undefined, operation: Operation, rules: Rules): string {
  const safe = name === undefined ? '' : toSafeName(name, FORBIDDEN);
  if (!/[A-Za-z0-9]/.test(safe)) return '';
  const whole = rules.prefix + safe;
  const isUsable = /^[A-Za-z_]/.test(whole) && /[A-Za-z]/.test(whole);
  return isUsable ? safe : `${methodOf(operation)}_${safe}`;
}

function nameOfPath(operation: Operation): string {
  const path = toSafeName(operation.path, FORBIDDEN);
  return `${methodOf(operation)}_${/[A-Za-z0-9]/.test(path) ? path : 'root'}`;
}

/** A document may name methods of its own, and name them badly. */
function methodOf({ method }: Operation): string {
  const safe = toSafeName(method, FORBIDDEN).toLowerCase();
  return /^[a-z]/.test(safe) ? safe : 'call';
}

function abbreviate(name: string, { prefix, maxLength, abbreviate: when }: Rules): string {
  const room = maxLength - prefix.length;
  if (when === 'off' || (when === 'long' && name.length <= room)) return name;
  const short = abbreviateName(name, 'words');
  return short.length <= room ? short : abbreviateName(name, 'vowels');
}

function findWinner(wishes: readonly Wish[]): Wish | undefined {
  const strongest = wishes.reduce((least, { claim }) => Math.min(least, claim), MADE_UP);
  const winners = wishes.filter(({ claim }) => claim === strongest);
  return winners.length === 1 ? winners[0] : undefined;
}

// defence: names-of-their-own
function findHashedName(wish: Wish, rules: Rules, taken: Set<string>): string {
  const { key } = wish.operation;
  for (let salt = 0; salt < MAX_TRIES; salt += 1) {
    const name = withHash(wish.base, shortHash(salt === 0 ? key : `${key} ${salt}`), rules);
    const small = name.toLowerCase();
    if (taken.has(small)) continue;
    taken.add(small);
    return name;
  }
  throw new DefinitionError(
    `No name of at most ${rules.maxLength} characters is left for the operation "${key}". Allow longer names.`,
    { option: 'maxNameLength', received: String(rules.maxLength) },
  );
}

function withHash(base: string, hash: string, { prefix, maxLength }: Rules): string {
  const room = maxLength - prefix.length;
  const start = cutName(base, room - SHORT_HASH_LENGTH - 1);
  return prefix + (start === '' ? hash.slice(0, room) : `${start}_${hash}`);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
