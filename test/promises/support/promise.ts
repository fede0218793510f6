import { describe, expect, it } from 'vitest';
import type { Weakness } from './weaken.ts';

/** The long forms, and everything that measures time: `npm run soak`, never `npm test`. */
export const isLong: boolean = process.env['PROMISES'] === 'long';

/** A way to break a promise, and the expected failure. */
export interface Switch {
  /** Description of the defence that is turned off. */
  readonly defence: string;
  readonly off: readonly Weakness[];
  /** Part of the message of the assertion that must fail. */
  readonly red: RegExp;
  /** The check that must fail, if a promise has several. */
  readonly check?: string;
}

/** A promise, its checks by name, and the switches that must make them fail. */
export interface Promised {
  readonly checks: Readonly<Record<string, (without: readonly Weakness[]) => Promise<void>>>;
  readonly switches: readonly Switch[];
  readonly timeoutMs?: number;
}

/** Defines a promise: each check passes, and fails when its defence is turned off. */
export function promise(title: string, { checks, switches, timeoutMs = 180_000 }: Promised): void {
  describe(title, () => {
    for (const [name, check] of Object.entries(checks)) it(name, () => check([]), timeoutMs);
    for (const { defence, off, red, check = Object.keys(checks)[0] } of switches) {
      it(
        `is red without ${defence}`,
        () => expect(checks[String(check)]?.(off)).rejects.toThrow(red),
        timeoutMs,
      );
    }
  });
}
