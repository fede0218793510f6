import { didYouMean } from '../../../errors/nearest-names.ts';
import { durationFlag, numberFlag, textFlag, textFlags, UsageError } from '../../terminal/command.ts';
import type { CommandCall } from '../../terminal/command.ts';
import { VARIABLES } from './openapi-flags.ts';

/** A setting, and what it was given by: `--base-url`, or `API_BASE_URL`. */
export interface Given {
  readonly value: string;
  readonly by: string;
}

const YES = /^(?:1|true|yes|on)$/i;
const NO = /^(?:0|false|no|off)$/i;

/** What a command line and its environment say. A flag wins over its variable, and an empty variable is none. */
export class Settings {
  readonly call: CommandCall;

  constructor(call: CommandCall) {
    this.call = call;
  }

  /** A text, and who said it. */
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

  /** What may be said several times. */
  list(flag: string): readonly string[] {
    const said = textFlags(this.call, flag);
    for (const each of said) assertFilled(each, flag);
    if (said.length > 0) return said;
    const variable = VARIABLES.get(flag);
    const value = variable === undefined ? undefined : this.variable(variable);
    return value === undefined ? [] : [value];
  }

  /** One of several words. */
  choice<TChoice extends string>(flag: string, choices: readonly TChoice[]): TChoice | undefined {
    const given = this.find(flag);
    if (given === undefined) return undefined;
    const chosen = choices.find((each) => each === given.value);
    if (chosen !== undefined) return chosen;
    const shown = didYouMean(given.value, choices);
    throw new UsageError(`${given.by} takes ${listOf(choices)}; it got "${given.value}".${shown}`);
  }

  isOn(flag: string): boolean {
    if (this.call.flags[flag] === true) return true;
    const variable = VARIABLES.get(flag);
    const value = variable === undefined ? undefined : this.variable(variable);
    return value !== undefined && readYesNo({ value, by: variable ?? '' });
  }

  /** A text that says yes or no. */
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

  /** A secret: as it is, or `env:NAME` for what a variable has. */
  secret(value: string, owner: string): string {
    if (!value.startsWith('env:')) return value;
    return this.neededVariable(value.slice('env:'.length), owner);
  }

  neededVariable(name: string, owner: string): string {
    // Files that variables are filled from end with a line break.
    const found = this.variable(name)?.trim();
    if (found !== undefined) return found;
    // What looks like no name of a variable may be the secret itself, given by mistake.
    const shown = /^[A-Z][A-Z0-9_]{0,63}$/.test(name) ? ` ${name}` : '';
    throw new UsageError(`${owner}: the variable${shown} is not set, or empty.`);
  }
}

function assertFilled(value: string, flag: string): string {
  if (value.trim() !== '') return value;
  throw new UsageError(`--${flag} is empty. Give it a value, or leave it out.`);
}

function readYesNo({ value, by }: Given): boolean {
  if (YES.test(value.trim())) return true;
  if (NO.test(value.trim())) return false;
  throw new UsageError(`${by} takes true or false; it got "${value}".`);
}

/** `a, b or c` */
function listOf(choices: readonly string[]): string {
  return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1) ?? ''}`;
}
