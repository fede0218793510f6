import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { meta } from '../support/raw-client.ts';
import { DIST } from '../support/dist.ts';

const CLI = join(DIST, 'bundle/cli.js');

/** Allows everything that is in memory, except sessions. */
export const ALLOWED = '--allow-memory=tasks,rateLimit,confirmations,cache,state,eventBus';

/** A server that tells which process and which version has run a call. `begun` has one line for each call of `work`. */
export function createProject(under: string): {
  folder: string;
  write: (name: string, text: string) => void;
} {
  const folder = mkdtempSync(join(under, 'project-'));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write('begun', '');
  write(
    'server.mjs',
    `import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { createServer } from 'toolwright';
import * as z from 'zod';
import { version } from './version.mjs';
const tool = (name, handler) => ({ name, description: name, inputSchema: z.object({}), handler });
export default createServer({ name: 'demo', version, rateLimit: false, tools: [
  tool('pid', () => String(process.pid)),
  tool('crash', () => {
    setTimeout(() => { throw new Error('stray'); });
    return String(process.pid);
  }),
  tool('secrets', () => JSON.stringify([process.argv, process.env])),
  tool('work', async () => {
    appendFileSync(new URL('begun', import.meta.url), 'x');
    await wait(20);
    return process.pid + ' ' + version;
  }),
  tool('ask', async ({ context }) => {
    const first = await context.step('pid', () => process.pid);
    const { content } = await context.ask('who', { message: 'Who?', schema: z.object({ name: z.string() }) });
    return content.name + ' ' + first + ' ' + process.pid;
  }),
] });
`,
  );
  write('version.mjs', `export const version = '1.0.0';`);
  return { folder, write };
}

/** A running command, and what it has written to standard error. */
export class Command {
  readonly child: ChildProcess;
  #text = '';

  constructor(folder: string, flags: readonly string[], file = 'server.mjs') {
    this.child = spawn(process.execPath, [CLI, 'serve', file, ...flags], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#text += text;
    });
  }

  /** Waits for a text, and drops what was written before it. */
  async said(sought: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = sought.exec(this.#text);
      if (found !== null) {
        this.#text = this.#text.slice(found.index + found[0].length);
        return found;
      }
      if (this.child.exitCode !== null)
        throw new Error(`ended, and never said ${sought.source}: ${this.#text}`);
      await Promise.race([
        once(this.child.stderr as NodeJS.ReadableStream, 'data'),
        once(this.child, 'exit'),
      ]);
    }
  }

  async exit(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }
}

export interface CallParams {
  readonly name: string;
  readonly [more: string]: unknown;
}

export interface CallResult {
  readonly content?: readonly { readonly text: string }[];
  readonly requestState?: string;
}

/** Calls a tool over the connections of an agent. Rejects if the response does not arrive. */
export function callOver(agent: Agent, url: string, params: CallParams): Promise<CallResult> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { ...params, _meta: meta({ elicitation: { form: {} } }) },
  });
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (piece: string) => (text += piece))
        .on('error', reject)
        .on('end', () => {
          if (response.statusCode === 200 && response.complete)
            resolve((JSON.parse(text) as { result: CallResult }).result);
          else reject(new Error(`${response.statusCode} ${text}`));
        });
    });
    sent.on('error', reject).end(body);
  });
}

/** One client that calls one tool after another over one connection. */
export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  #isStopped = false;
  /** Results of \`work\`: process and version. */
  readonly results: { readonly pid: number; readonly version: string }[] = [];
  /** The process of the previous result, for each call that failed. */
  readonly failures: { readonly after: number | undefined; readonly message: string }[] = [];
  readonly #done: Promise<void>;

  constructor(url: string) {
    this.#url = url;
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
    this.#agent.destroy();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        const { content } = await callOver(this.#agent, this.#url, { name: 'work' });
        const [pid = '', version = ''] = content?.[0]?.text.split(' ') ?? [];
        this.results.push({ pid: Number(pid), version });
      } catch (error) {
        this.failures.push({ after: this.results.at(-1)?.pid, message: String(error) });
        if (String(error).includes('ECONNREFUSED')) return;
      }
    }
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
