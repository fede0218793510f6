import { readFile, stat } from 'node:fs/promises';
import type { ApiKeyRecord, ApiKeyStore } from '../../auth/api-keys.ts';
import { systemClock, wallTimeOf } from '../../base/time/clock.ts';
import type { Clock } from '../../base/time/clock.ts';
import { DefinitionError } from '../../errors/errors.ts';
import { createSmallCheck } from '../file/small-schema.ts';
import { API_KEY_RECORD } from '../schema/auth-schema.ts';
import type { ApiKeyConfig } from '../file/auth-config.ts';

/** A file whose last change is older than this cannot change again with the same time. */
const SETTLED_MS = 1000;

const check = createSmallCheck({ type: 'array', items: API_KEY_RECORD });

/**
 * API keys of a JSON file with an array of records. Every request looks whether the file has changed, so a key that is removed from it is
 * not valid for the next one. While the file cannot be read, requests fail: no key is valid.
 */
export class ApiKeyFile implements ApiKeyStore {
  readonly #file: string;
  readonly #clock: Clock;
  #records: ReadonlyMap<string, ApiKeyRecord> = new Map();
  #version: string | undefined;

  constructor(file: string, clock: Clock = systemClock) {
    this.#file = file;
    this.#clock = clock;
  }

  async find(prefix: string): Promise<ApiKeyRecord | undefined> {
    // defence: keys-of-the-file
    await this.load();
    return this.#records.get(prefix);
  }

  /** Reads the file, unless it is the same as before. */
  async load(): Promise<void> {
    const { mtimeMs, size, ino } = await stat(this.#file);
    const version = `${mtimeMs} ${size} ${ino}`;
    if (version === this.#version) return;
    const text = await readFile(this.#file, 'utf8');
    this.#records = readRecords(text);
    this.#version = wallTimeOf(this.#clock) - mtimeMs > SETTLED_MS ? version : undefined;
  }
}

function readRecords(text: string): ReadonlyMap<string, ApiKeyRecord> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DefinitionError('Invalid JSON: expected an array of records of createApiKey.');
  }
  const { mistakes } = check(value);
  const [mistake] = mistakes;
  if (mistake !== undefined)
    throw new DefinitionError(`Invalid records: ${[...mistake.path, mistake.message].join(' ')}.`);
  const records = (value as readonly Extract<ApiKeyConfig, { hash: string }>[]).map((record) =>
    withTime(record),
  );
  return new Map(records.map((record) => [record.prefix, record]));
}

/** A record whose date is a time. */
export function withTime({
  expiresAt,
  ...record
}: Extract<ApiKeyConfig, { readonly hash: string }>): ApiKeyRecord {
  return expiresAt === undefined ? record : { ...record, expiresAt: timeOf(expiresAt) };
}

/** Milliseconds since 1970. A date that does not exist has passed. */
export function timeOf(date: number | string): number {
  const time = typeof date === 'number' ? date : Date.parse(date);
  if (Number.isFinite(time)) return time;
  throw new DefinitionError(`Invalid expiresAt "${date}": expected a date such as "2027-01-31".`, {
    option: 'expiresAt',
  });
}
