import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { callTool } from './clients.ts';
import type { OfficialClient } from './clients.ts';

const UUID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g;
const TOKEN = /confirmation_token "(\w+)"/;

type Args = Readonly<Record<string, unknown>>;

/** Calls of a session and their results, as text. Ids are numbered in the order of their first occurrence. */
export class Transcript {
  readonly #client: OfficialClient;
  readonly #replaced: ReadonlyMap<string, string>;
  readonly #ids = new Map<string, string>();
  readonly #entries: string[] = [];

  /** `replaced`: other texts that differ between runs, with their names. */
  constructor(client: OfficialClient, replaced: ReadonlyMap<string, string>) {
    this.#client = client;
    this.#replaced = replaced;
  }

  get count(): number {
    return this.#entries.length;
  }

  /** Calls a tool, and returns the text of its result. */
  async call(tool: string, args: Args = {}): Promise<string> {
    const { text, isError } = await callTool(this.#client, tool, args);
    const shown = JSON.stringify(args) === '{}' ? '' : ` ${JSON.stringify(args)}`;
    const [, token] = TOKEN.exec(text) ?? [];
    const entry = `> ${tool}${shown}\n${isError ? 'ERROR: ' : ''}${text}`;
    this.#entries.push(token === undefined ? entry : entry.replaceAll(token, '<token>'));
    return text;
  }

  /** Calls a tool that changes a budget, then confirms the change. Returns the JSON of the result. */
  async change<TResult>(tool: string, args: Args): Promise<TResult> {
    return JSON.parse(await this.confirm(tool, args)) as TResult;
  }

  /** Calls a tool that changes a budget, then confirms the change. Returns the text of the result. */
  async confirm(tool: string, args: Args): Promise<string> {
    const [, token] = TOKEN.exec(await this.call(tool, args)) ?? [];
    if (token === undefined) throw new Error(`${tool} requested no confirmation.`);
    const result = await this.call(tool, { ...args, confirmation_token: token });
    this.#entries.push((this.#entries.pop() ?? '').replaceAll(token, '<token>'));
    return result;
  }

  toString(): string {
    let text = `${this.#entries.join('\n\n')}\n`;
    for (const [found, name] of this.#replaced) text = text.replaceAll(found, name);
    return text.replaceAll(UUID, (id) => {
      const name = this.#ids.get(id) ?? `<id ${this.#ids.size + 1}>`;
      this.#ids.set(id, name);
      return name;
    });
  }
}

/** Compares a text with a file. `UPDATE_GOLDEN=1` writes the file instead. */
export function expectGolden(text: string, file: URL): void {
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}
