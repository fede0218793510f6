import { DefinitionError } from '../../errors/errors.ts';
import { wrongValue } from '../../errors/options/wrong-value.ts';
import type { Operation } from '../model/operation.ts';
import { abbreviateName } from './abbreviate-name.ts';
import { cutName, toSafeName } from './safe-name.ts';
import { SHORT_HASH_LENGTH, shortHash } from './short-hash.ts';

/** Options of {@link nameOperations}. */
export interface NameOptions {
  /** Returns the name that the user configured for an operation; it is kept whenever possible. */
  readonly chosen?: ((operation: Operation) => string | undefined) | undefined;
  /** Prefix of every name, counted in its length, such as `github_`. */
  readonly prefix?: string | undefined;
  /** Maximum length of a name, 1 to 128. Default: 64, which every model vendor accepts. */
  readonly maxLength?: number | undefined;
  /** Abbreviates common words: never, in names that are too long, or in all. Configured names are not abbreviated. Default: `'off'`. */
  readonly abbreviate?: 'off' | 'long' | 'always' | undefined;
  /** Names that are already taken. */
  readonly reserved?: ReadonlySet<string> | undefined;
}

/** Strength of the claim to a name: configured, equal to the `operationId`, derived from it, or derived from the path. */
const CHOSEN = 0;
const EXACT = 1;
const DERIVED = 2;
const MADE_UP = 3;

interface Wish {
  readonly operation: Operation;
  /** The name without the prefix. */
  readonly base: string;
  readonly claim: number;
}

interface Rules {
  readonly prefix: string;
  readonly maxLength: number;
  readonly abbreviate: 'off' | 'long' | 'always';
  /** In lower case, as in every comparison of names, because some clients lower-case them. */
  readonly reserved: ReadonlySet<string>;
}

const FORBIDDEN = /[^A-Za-z0-9_-]+/g;
/** Maximum number of attempts to find a free name. */
const MAX_TRIES = 1000;

/**
 * Returns a name for each operation, of letters, digits, `_` and `-`, unique ignoring case.
 *
 * Names must stay the same when other operations are added or removed, so each is derived from its own operation alone; only operations
 * that claim the same name affect each other. Then the strongest claim keeps it, and the others end with a hash of their key. If several
 * claims are equally strong (an `operationId` used twice, two similar paths), all of them get a hash. If one of them, such as the first,
 * kept the name, the name would pass to another operation as soon as that one is removed, and callers would silently call something
 * else. The only name that can pass on is one derived from an `operationId` (`get/user`), when an operation with exactly that
 * `operationId` (`get_user`) is added.
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
  // Equal hashes are very unlikely; if they occur, the order of the document must not matter.
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

/** The name in allowed characters; empty if nothing of it is left. */
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

/** A document may define its own methods with unusable names. */
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
