import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { CONFIG_NAMES, findConfigFile } from '../../config/file/read-config-file.ts';
import { EXIT_CODES, textFlags, UsageError } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { Supervisor } from '../dev/supervisor.ts';
import { assertFile } from '../target/target.ts';
import { httpOptions, serveUntilEnd, TRANSPORT_FLAGS } from '../target/transport-flags.ts';

/** `toolwright dev` */
export const dev: Command = {
  name: 'dev',
  summary: 'Serve during development: reload on every change, and keep clients connected',
  usage: ['[file] [options]'],
  details: `Like "serve", but the server runs in its own process, which is replaced when one of its files changes.
Clients stay connected and receive list_changed notifications. Running calls finish in the version that they began
with. If a version cannot be loaded, the error is shown and the previous version continues to serve.`,
  flags: {
    ...TRANSPORT_FLAGS,
    watch: {
      type: 'string',
      short: 'w',
      value: 'path',
      isMultiple: true,
      description: 'Also reload when this file, or a file in this folder, changes',
    },
  },
  examples: [
    ['toolwright dev', 'serve the configuration in this folder, over its transport'],
    ['toolwright dev server.js --http --port 3000', 'serve a module over HTTP'],
    ['toolwright dev --watch prompts', 'also reload when a file in the folder prompts changes'],
  ],
  run: async (call) => {
    const { terminal, positionals } = call;
    const [given, ...others] = positionals;
    if (others.length > 0)
      throw new UsageError(`Unexpected argument "${others[0] ?? ''}". "toolwright dev" takes one file.`);
    const file = given === undefined ? findConfigFile(terminal.cwd) : resolve(terminal.cwd, given);
    if (file === undefined)
      throw new UsageError(
        `Missing file: this folder has no configuration (${CONFIG_NAMES.join(', ')}). Name a file.`,
      );
    assertFile(file);
    // Validates the flags before the server is loaded, independently of the configured transport.
    httpOptions(call, { type: 'http' });
    const waiting = new Waiting(call.flags['http'] !== true);
    const supervisor = new Supervisor({ file, terminal, onFailed: () => waiting.fail() });
    for (const path of textFlags(call, 'watch').map((each) => resolve(terminal.cwd, each))) {
      if (!existsSync(path)) throw new UsageError(`--watch: file or folder not found: ${path}.`);
      if (statSync(path).isDirectory()) supervisor.watchFolder(path);
      else supervisor.watchFile(path);
    }
    supervisor.watchFile(file);
    try {
      const begun = await Promise.race([supervisor.begin(), waiting.over]);
      if (typeof begun === 'number') return begun;
      const options = httpOptions(call, begun.sketch.transport);
      const incoming = waiting.end(options === undefined);
      await serveUntilEnd(
        begun.hot.server,
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
 * Waits until the first version can be served. A signal ends the wait; so does the end of the input after a version has failed to load.
 * Input that arrives meanwhile is kept.
 */
class Waiting {
  /** Resolves with the exit code if the wait ends without a server. */
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

  /** Records that a version could not be loaded. */
  fail(): void {
    this.#hasFailed = true;
    this.#look();
  }

  /** Ends the wait, because a version is loaded. Returns the input, if the transport needs it. */
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
