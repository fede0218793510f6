import { didYouMean } from '../../../errors/nearest-names.ts';
import { durationFlag, numberFlag, textFlag, textFlags, UsageError } from '../../terminal/command.ts';
import type { CommandCall } from '../../terminal/command.ts';
import { VARIABLES } from './openapi-flags.ts';

/** A value, and the flag or variable that it comes from: `--base-url`, or `API_BASE_URL`. */
export interface Given {
  readonly value: string;
  readonly by: string;
}

const YES = /^(?:1|true|yes|on)$/i;
const NO = /^(?:0|false|no|off)$/i;

/** Reads flags and environment variables. A flag wins over its variable; an empty variable counts as not set. */
export class Settings {
  readonly call: CommandCall;

  constructor(call: CommandCall) {
    this.call = call;
  }

  /** A string and its origin. */
  find(flag: string): Given | undefined {
    const said = textFlag(this.call, flag);
    if (said !== undefined) return { value: assertFilled(said, flag), by: `--${flag}` };
    const variable = VARIABLES.get(flag);
    const value = variable === undefined ? undefined : this.variable(variable);
    return variable === undefined || value === undefined ? undefined : { value, by: variable };
  }

  text(flag: string): string | undefined {
    return this.find(flag)?.value;
  }

  /** The values of a flag that may be repeated. */
  list(flag: string): readonly string[] {
    const said = textFlags(this.call, flag);
    for (const each of said) assertFilled(each, flag);
    if (said.length > 0) return said;
    const variable = VARIABLES.get(flag);
    const value = variable === undefined ? undefined : this.variable(variable);
    return value === undefined ? [] : [value];
  }

  /** One of several choices. */
  choice<TChoice extends string>(flag: string, choices: readonly TChoice[]): TChoice | undefined {
    const given = this.find(flag);
    if (given === undefined) return undefined;
    const chosen = choices.find((each) => each === given.value);
    if (chosen !== undefined) return chosen;
    const shown = didYouMean(given.value, choices);
    throw new UsageError(`${given.by} must be ${listOf(choices)}; received "${given.value}".${shown}`);
  }

  isOn(flag: string): boolean {
    if (this.call.flags[flag] === true) return true;
    const variable = VARIABLES.get(flag);
    const value = variable === undefined ? undefined : this.variable(variable);
    return value !== undefined && readYesNo({ value, by: variable ?? '' });
  }

  /** A boolean that is given as text. */
  yesNo(flag: string): boolean | undefined {
    const given = this.find(flag);
    return given === undefined ? undefined : readYesNo(given);
  }

  count(flag: string): number | undefined {
    return numberFlag(this.call, flag);
  }

  duration(flag: string): number | undefined {
    return durationFlag(this.call, flag);
  }

  variable(name: string): string | undefined {
    const { env } = this.call.terminal;
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    return value === undefined || value.trim() === '' ? undefined : value;
  }

  /** A secret: the value itself, or `env:NAME` for an environment variable. */
  secret(value: string, owner: string): string {
    if (!value.startsWith('env:')) return value;
    return this.neededVariable(value.slice('env:'.length), owner);
  }

  neededVariable(name: string, owner: string): string {
    // A variable that was set from a file may end with a line break.
    const found = this.variable(name)?.trim();
    if (found !== undefined) return found;
    // A word that is not a valid variable name may be the secret itself, so it is not shown.
    const shown = /^[A-Z][A-Z0-9_]{0,63}$/.test(name) ? ` ${name}` : '';
    throw new UsageError(`${owner}: the environment variable${shown} is not set or empty.`);
  }
}

function assertFilled(value: string, flag: string): string {
  if (value.trim() !== '') return value;
  throw new UsageError(`--${flag} must not be empty.`);
}

function readYesNo({ value, by }: Given): boolean {
  if (YES.test(value.trim())) return true;
  if (NO.test(value.trim())) return false;
  throw new UsageError(`${by} must be true or false; received "${value}".`);
}

/** `a, b or c` */
function listOf(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1) ?? ''}`;
}
