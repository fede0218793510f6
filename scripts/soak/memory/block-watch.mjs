/** Measures how long the event loop is blocked. */
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const EVERY_MS = 10;

/**
 * Watches the event loop of this process. `blockedMs` is the longest block without the time in which the thread was ready but had no
 * processor, so that a busy machine is not taken for a blocked loop; `delayMs` is the longest delay by the clock, `waitedMs` the time
 * without a processor, in all.
 */
export class BlockWatch {
  #delay = monitorEventLoopDelay({ resolution: EVERY_MS });
  #blockedMs = 0;
  #at = performance.now();
  #waitedMs = waitedForProcessor();
  #startedWaitedMs = this.#waitedMs;

  constructor() {
    this.#delay.enable();
    setInterval(() => this.#look(), EVERY_MS).unref();
  }

  seen() {
    const waitedMs = this.#waitedMs - this.#startedWaitedMs;
    return { blockedMs: this.#blockedMs, delayMs: this.#delay.max / 1e6, waitedMs };
  }

  /** Resets all measurements. */
  reset() {
    this.#delay.reset();
    this.#blockedMs = 0;
    this.restart();
    this.#startedWaitedMs = this.#waitedMs;
  }

  /** Ignores the time since the last measurement. */
  restart() {
    this.#at = performance.now();
    this.#waitedMs = waitedForProcessor();
  }

  #look() {
    const [at, waitedMs] = [performance.now(), waitedForProcessor()];
    const blockedMs = at - this.#at - EVERY_MS - (waitedMs - this.#waitedMs);
    this.#blockedMs = Math.max(this.#blockedMs, blockedMs);
    this.#at = at;
    this.#waitedMs = waitedMs;
  }
}

/** Time of the main thread in the run queue; 0 if the system does not report it. */
function waitedForProcessor() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
