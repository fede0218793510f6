import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { loadAuth } from '../../config/auth/auth-source.ts';
import { CONFIG_NAMES, findConfigFile } from '../../config/file/read-config-file.ts';
import { EXIT_CODES, textFlags, UsageError } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { Supervisor } from '../dev/supervisor.ts';
import { assertFile } from '../target/target.ts';
import { httpOptions, serveUntilEnd, TRANSPORT_FLAGS } from '../target/transport-flags.ts';

/** `toolwright dev` */
export const dev: Command = {
  name: 'dev',
  summary: 'Serve while you work on it: reload on every change, and keep the clients',
  usage: ['[file] [options]'],
  details: `Like "serve", but the server runs in a process of its own, which is replaced when a file changes that it is made of.
Clients stay connected and are told to look again (list_changed). Calls that run are finished by the version they
began with; a version that cannot be loaded is reported, and the one before goes on serving.`,
  flags: {
    ...TRANSPORT_FLAGS,
    watch: {
      type: 'string',
      short: 'w',
      value: 'path',
      isMultiple: true,
      description: 'Reload also when this file, or something in this folder, changes',
    },
  },
  examples: [
    ['toolwright dev', 'the configuration of this folder, as it says'],
    ['toolwright dev server.js --http --port 3000', 'a module, over HTTP'],
    ['toolwright dev --watch prompts', 'also when a file in the folder prompts changes'],
  ],
  run: async (call) => {
    const { terminal, positionals } = call;
    const [given, ...others] = positionals;
    if (others.length > 0)
      throw new UsageError(`"toolwright dev" takes one file; it got ${positionals.length}.`);
    const file = given === undefined ? findConfigFile(terminal.cwd) : resolve(terminal.cwd, given);
    if (file === undefined)
      throw new UsageError(
        `There is no configuration in this folder (${CONFIG_NAMES.join(', ')}). Name a file.`,
      );
    assertFile(file);
    // What can be wrong with them, whatever the file says: found before anything is waited for.
    httpOptions(call, { type: 'http' });
    const waiting = new Waiting(call.flags['http'] !== true);
    const supervisor = new Supervisor({ file, terminal, onFailed: () => waiting.fail() });
    for (const path of textFlags(call, 'watch').map((each) => resolve(terminal.cwd, each))) {
      if (!existsSync(path)) throw new UsageError(`--watch: there is no ${path}.`);
      if (statSync(path).isDirectory()) supervisor.watchFolder(path);
      else supervisor.watchFile(path);
    }
    supervisor.watchFile(file);
    try {
      const begun = await Promise.race([supervisor.begin(), waiting.over]);
      if (typeof begun === 'number') return begun;
      const options = httpOptions(call, begun.sketch.transport);
      const incoming = waiting.end(options === undefined);
      const auth = options && begun.sketch.auth && (await loadAuth(begun.sketch.auth));
      await serveUntilEnd(
        { server: begun.hot.server, auth, principal: begun.sketch.principal },
        options,
        incoming === undefined ? terminal : { ...terminal, incoming },
      );
      await begun.hot.server.close();
      return EXIT_CODES.ok.code;
    } finally {
      await supervisor.close();
    }
  },
};

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * While nothing can be served: whoever waits for it may give up, with a signal, or by ending the input when there is nothing to be hoped for.
 * What a client has said by then is kept.
 */
class Waiting {
  /** Gives an exit code. */
  readonly over: Promise<number>;
  #stop: (code: number) => void = () => {};
  readonly #input: PassThrough | undefined;
  #hasFailed = false;
  #hasEnded = false;

  constructor(readsInput: boolean) {
    this.over = new Promise((resolve) => {
      this.#stop = resolve;
    });
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
    if (!readsInput) return;
    this.#input = new PassThrough({ highWaterMark: 1_048_576 });
    process.stdin.pipe(this.#input);
    process.stdin.once('end', () => {
      this.#hasEnded = true;
      this.#look();
    });
  }

  /** A version could not be loaded. */
  fail(): void {
    this.#hasFailed = true;
    this.#look();
  }

  /** One could: gives what the client says, where it is wanted. */
  end(isWanted: boolean): PassThrough | undefined {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
    this.#stop = () => {};
    if (isWanted || this.#input === undefined) return this.#input;
    process.stdin.unpipe(this.#input).pause();
    return undefined;
  }

  readonly #onSignal = (): void => this.#stop(EXIT_CODES.ok.code);

  #look(): void {
    if (this.#hasFailed && this.#hasEnded) this.#stop(EXIT_CODES.unavailable.code);
  }
}
