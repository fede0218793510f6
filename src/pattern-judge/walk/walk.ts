import { UnreadablePattern } from '../syntax/parse-pattern.ts';
import { OP, WIDTH } from '../run/program.ts';
import type { Program } from '../run/program.ts';
import { findBefore, findCounters, findLeading, isLookAtOne, stepsBack } from '../run/read-program.ts';
import type { Alphabet, Before, Counter } from '../run/read-program.ts';

/** An alternative of a search that is still to be tried. */
interface Thread {
  /** The next instruction. */
  readonly at: number;
  /** Rounds of each counted repetition; -1 outside of it. */
  readonly counts: readonly number[];
  /** In a lookahead: its end is not a match. */
  readonly isInLook: boolean;
  /** A lookaround before may have failed, so its end need not be a match. */
  readonly isUncertain: boolean;
}

/** All alternatives of a search at one position, in the order in which it would try them if all before fail. */
export interface Front {
  readonly id: number;
  readonly threads: readonly number[];
  /** The class of the letter before the position. */
  readonly before: number;
}

/** The front after one character, and its cost. */
export interface Move {
  readonly front: Front;
  readonly steps: number;
}

/** Limits of a walk. */
export interface WalkLimits {
  /** Maximum number of steps; more throw an `UnreadablePattern`. */
  readonly work: number;
  readonly maxCount: number;
  /** Whether long lookbehinds and backreferences throw an `UnreadablePattern`. Otherwise they are skipped. */
  readonly isExact: boolean;
}

/** Follows all alternatives of a search through a string in parallel, letter by letter. Counts the steps of those that would be tried. */
export class Walk {
  readonly start: Front;
  readonly #program: Program;
  readonly #alphabet: Alphabet;
  readonly #counters: readonly Counter[];
  readonly #threads: Thread[] = [];
  readonly #ids = new Map<string, number>();
  readonly #fronts = new Map<string, Front>();
  readonly #reached = new Map<number, Reached>();
  readonly #unfailing = new Map<number, boolean>();
  #left: number;
  readonly #before: Before;
  /** Repetitions up to this count are followed exactly. */
  readonly #maxCount: number;
  /** End of the leading lookarounds. */
  readonly #leading: number;

  readonly #isExact: boolean;
  /** Whether something was skipped. */
  isShortened = false;

  constructor(program: Program, alphabet: Alphabet, { work, maxCount, isExact }: WalkLimits) {
    this.#program = program;
    this.#alphabet = alphabet;
    this.#left = work;
    this.#maxCount = maxCount;
    this.#isExact = isExact;
    this.#leading = alphabet.isAnchored ? findLeading(program.code) : 0;
    this.#counters = findCounters(program.code, maxCount);
    this.#before = findBefore(program, alphabet);
    this.start = this.#toFront([this.#begin()], 0);
  }

  /** The front after the next letter; the end of the string is the letter `size`. */
  follow({ threads, before }: Front, letter: number): Move {
    const next: number[] = [];
    let steps = 0;
    let isFound = false;
    for (const thread of threads) {
      const reached = this.#advance(thread, before, letter);
      steps += reached.steps;
      const unfailing = reached.threads.findIndex((each) => this.#isUnfailing(each));
      for (const each of unfailing === -1 ? reached.threads : reached.threads.slice(0, unfailing + 1))
        next.push(each);
      // Nothing after a match is tried.
      isFound = reached.isFound || unfailing >= 0;
      if (isFound) break;
    }
    this.#spend(1 + next.length);
    if (letter === this.#alphabet.size) return { front: this.start, steps };
    // An unanchored search starts again at the next position until a match is found.
    if (threads.at(-1) === BEGIN && !isFound && !this.#alphabet.isAnchored) next.push(BEGIN);
    return { front: this.#toFront(next, this.#before.kinds[letter] ?? 0), steps };
  }

  /** The threads after one letter, cached. */
  #advance(thread: number, before: number, letter: number): Reached {
    const key = (thread * (this.#alphabet.size + 1) + letter) * this.#before.letters.length + before;
    const known = this.#reached.get(key);
    if (known !== undefined) return known;
    const found: Step = { before, letter, threads: [], steps: 0, isFound: false };
    const from = this.#threads[thread];
    if (from !== undefined) this.#pursue(from, found);
    this.#reached.set(key, found);
    return found;
  }

  /** Whether a thread always matches: it stays in place with every letter, and matches at the end. */
  #isUnfailing(thread: number): boolean {
    const known = this.#unfailing.get(thread);
    if (known !== undefined) return known;
    const { size } = this.#alphabet;
    const places = this.#before.letters.length;
    let isUnfailing = true;
    for (let at = 0; at < places * (size + 1) && isUnfailing; at += 1) {
      const letter = size - Math.floor(at / places);
      const { isFound, threads } = this.#advance(thread, at % places, letter);
      isUnfailing = isFound || (letter < size && threads.includes(thread));
    }
    this.#unfailing.set(thread, isUnfailing);
    return isUnfailing;
  }

  #spend(work: number): void {
    this.#left -= work;
    if (this.#left < 0) throw new UnreadablePattern('judging it would take too long');
  }

  #begin(): number {
    const counts = this.#counters.map(() => -1);
    return this.#toThread({ at: 0, counts, isInLook: false, isUncertain: false });
  }

  #toThread(thread: Thread): number {
    const counts = thread.counts.map((count, index) => this.#counters[index]?.hold(count, thread.at) ?? -1);
    const key = `${thread.at} ${counts.join()} ${thread.isInLook ? 1 : 0}${thread.isUncertain ? 1 : 0}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#threads.push({ ...thread, counts }) - 1;
    this.#ids.set(key, id);
    return id;
  }

  #toFront(threads: readonly number[], before: number): Front {
    const key = `${before} ${threads.join()}`;
    const known = this.#fronts.get(key);
    if (known !== undefined) return known;
    const front = { id: this.#fronts.size, threads, before };
    this.#fronts.set(key, front);
    return front;
  }

  /** Follows a thread to its next read, or to a match. */
  #pursue(thread: Thread, step: Step): void {
    const { code, sets } = this.#program;
    /** Whole threads: alternatives may differ in everything. */
    const open: Pursued[] = [{ ...thread, begun: [] }];
    for (let way = open.pop(); way !== undefined; way = open.pop()) {
      this.#spend(1);
      const { at } = way;
      const first = code[at + 1] ?? 0;
      switch (code[at] ?? -1) {
        case OP.read:
          // One step to read, one to backtrack.
          step.steps += 2;
          if (sets[first]?.[step.letter] === 1) step.threads.push(this.#toThread({ ...way, at: at + WIDTH }));
          break;
        case OP.split:
          open.push({ ...way, at: code[at + 2] ?? 0 }, { ...way, at: first });
          break;
        case OP.accept:
          if (way.isInLook || way.isUncertain) break;
          step.isFound = true;
          return;
        case OP.look:
          step.steps += 1 + this.#look(way, step, open);
          break;
        case OP.leave:
          this.#leave(way, open);
          break;
        default: {
          const on = this.#pass(way, step);
          if (on === undefined) step.steps += 1;
          else open.push(on);
        }
      }
    }
  }

  /** The lookaround is tried first. Returns the steps of a lookbehind. */
  #look(way: Pursued, step: Step, open: Pursued[]): number {
    const { code, sets } = this.#program;
    const inside = way.at + WIDTH;
    const behind = code[way.at + 1] ?? 0;
    const isNegative = code[way.at + 2];
    if (isLookAtOne(code, way.at)) {
      const letter = code[inside] === OP.read ? step.letter : this.#before.letters[step.before];
      const isThere = sets[code[inside + 1] ?? 0]?.[letter ?? -1] === 1;
      if (isThere === (isNegative === 0)) open.push({ ...way, at: behind });
      return 2;
    }
    // If a leading lookaround of the whole pattern fails, nothing else is tried.
    const isUncertain = way.isUncertain || way.at >= this.#leading;
    open.push({ ...way, at: behind, isUncertain });
    const steps = stepsBack(code, inside, behind);
    if (steps > MAX_STEPS_BACK) {
      this.#shorten();
      return 1;
    }
    if (steps === 0) open.push({ ...way, at: inside, isInLook: true });
    return steps;
  }

  #shorten(): void {
    if (this.#isExact) throw new UnreadablePattern('its lookbehinds or backreferences reach too far');
    this.isShortened = true;
  }

  /** Leaves a counted repetition, or continues it. Above the limit, both are followed. */
  #leave(way: Pursued, open: Pursued[]): void {
    const { code } = this.#program;
    const register = code[way.at + 1] ?? 0;
    const count = code[way.at + 2] ?? 0;
    const exit = code[way.at + 3] ?? 0;
    const next = way.at + WIDTH;
    const op = code[next];
    if (count <= this.#maxCount) {
      open.push({ ...way, at: (way.counts[this.#counterOf(register)] ?? 0) >= count ? exit : next });
    } else if (op === OP.split) {
      // The exit is always possible, another round is not.
      const isRound = (at: number): boolean => at === next + WIDTH;
      for (const at of [code[next + 2] ?? 0, code[next + 1] ?? 0])
        open.push({ ...way, at, isUncertain: way.isUncertain || isRound(at) });
    } else open.push({ ...way, at: op === OP.jump ? exit : next, isUncertain: true });
  }

  #counterOf(register: number): number {
    return this.#counters.findIndex((counter) => counter.register === register);
  }

  /** Instructions with at most one continuation. */
  #pass(way: Pursued, step: Step): Pursued | undefined {
    const { code } = this.#program;
    const op = code[way.at] ?? -1;
    const first = code[way.at + 1] ?? 0;
    const second = code[way.at + 2] ?? 0;
    if (op === OP.jump) return { ...way, at: first };
    const next = { ...way, at: way.at + WIDTH };
    const counter = this.#counterOf(first);
    switch (op) {
      case OP.keep:
        // Empty rounds begin the same round repeatedly.
        if (second < 0) return way.begun.includes(first) ? next : { ...next, begun: [...way.begun, first] };
        return { ...next, counts: way.counts.with(counter, second) };
      case OP.count:
        return { ...next, counts: way.counts.with(counter, (way.counts[counter] ?? 0) + 1) };
      case OP.progress: {
        const count = way.counts[this.#counterOf(second)] ?? 0;
        return way.begun.includes(first) && count >= (code[way.at + 3] ?? 0) ? undefined : next;
      }
      case OP.edge:
        return this.#isAtEdge(first, step) ? next : undefined;
      default:
        this.#shorten();
        return { ...next, isUncertain: true };
    }
  }

  #isAtEdge(edge: number, { before, letter }: Step): boolean {
    const { words, lineEnds, size } = this.#alphabet;
    const last = this.#before.letters[before] ?? -1;
    if (edge === 0) return last === -1 || lineEnds[last] === true;
    if (edge === 1) return letter === size || lineEnds[letter] === true;
    return ((words[last] === true) === (words[letter] === true)) === (edge === 3);
  }
}

/** Maximum steps of a lookbehind that is followed. */
const MAX_STEPS_BACK = 1000;
/** The thread that begins at a position: the first known one. */
const BEGIN = 0;
/** The threads after the next letter. */
interface Reached {
  readonly threads: readonly number[];
  readonly steps: number;
  /** Whether it certainly matches, so that nothing after it is tried. */
  readonly isFound: boolean;
}

interface Step extends Reached {
  readonly before: number;
  readonly letter: number;
  readonly threads: number[];
  steps: number;
  isFound: boolean;
}

/** A thread on its way to its next read, with the rounds of repetitions that began at this position. */
interface Pursued extends Thread {
  readonly begun: readonly number[];
}
