import { describe, expect, it } from 'vitest';
import type { Weakness } from './weaken.ts';

/** The long forms and everything that is measured with a watch: `npm run soak`, never `npm test`. */
export const isLong: boolean = process.env['PROMISES'] === 'long';

/** One way to break a promise, and how it shows. */
export interface Switch {
  /** The defence that is turned off, in words. */
  readonly defence: string;
  readonly off: readonly Weakness[];
  /** Part of the message of the assertion that must fail then. */
  readonly red: RegExp;
  /** The check that must fail, when a promise has several. */
  readonly check?: string;
}

/** A promise, the checks that show it (by name), and the switches that must make them red. */
export interface Promised {
  readonly checks: Readonly<Record<string, (without: readonly Weakness[]) => Promise<void>>>;
  readonly switches: readonly Switch[];
  readonly timeoutMs?: number;
}

/** Says a promise and shows it: each check holds, and is red when its defence is turned off. */
export function promise(title: string, { checks, switches, timeoutMs = 60_000 }: Promised): void {
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
