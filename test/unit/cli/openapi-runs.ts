import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ShopApi } from './openapi-api.ts';
import { runCli } from './run-cli.ts';
import type { Ran } from './run-cli.ts';
import { whileServing } from './while-serving.ts';

/** Environment of the checks. */
export interface Place {
  /** Contains `shop.json`, a document without servers. */
  readonly folder: string;
  readonly api: ShopApi;
}

/** A setting as a flag, or as its environment variable. */
export type Say = (value?: string) => Said;

export interface Said {
  readonly line: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Checks the effect of a setting. */
export type Check = (say: Say, place: Place) => Promise<void>;

/** Runs `toolwright openapi`. */
export function openapi(
  line: readonly string[],
  place: Place,
  said: Partial<Said> & { readonly input?: string } = {},
): Promise<Ran> {
  const { line: more = [], env = {}, input = '' } = said;
  return runCli(['openapi', ...line, ...more], { cwd: place.folder, env, input });
}

/** The names of the served tools. */
export async function namesOf(
  place: Place,
  { line, env }: Said,
  document = ['shop.json'],
): Promise<string[]> {
  const at = line.includes('--base-url') ? [] : ['--base-url', place.api.origin];
  const { code, err } = await openapi([...document, ...at, '--dry-run', '--report', 'names.json'], place, {
    line,
    env,
  });
  expect([code, err]).toEqual([0, '']);
  const report = JSON.parse(readFileSync(join(place.folder, 'names.json'), 'utf8')) as {
    documents: { operations: { name?: string }[] }[];
  };
  return report.documents.flatMap(({ operations }) => operations.flatMap(({ name }) => name ?? []));
}

/** Serves over HTTP, and calls a tool. */
export async function callThrough(
  place: Place,
  { line, env }: Said,
  [tool, ...args]: readonly [string, ...string[]],
): Promise<Ran> {
  let ran: Ran | undefined;
  const served = ['openapi', '--transport', 'http', '--port', '0', ...line];
  await whileServing(served, { cwd: place.folder, env }, async (url) => {
    ran = await runCli(['call', url.href, tool, ...args], { cwd: place.folder });
  });
  return ran ?? { code: -1, out: '', err: '' };
}

/** The list of a server, as JSON. */
export async function listThrough(place: Place, { line, env }: Said): Promise<Record<string, never>> {
  let out = '{}';
  const served = ['openapi', 'shop.json', '--http', '--port', '0', '--base-url', place.api.origin, ...line];
  await whileServing(served, { cwd: place.folder, env }, async (url) => {
    ({ out } = await runCli(['list', url.href, '--json'], { cwd: place.folder }));
  });
  return JSON.parse(out) as Record<string, never>;
}
