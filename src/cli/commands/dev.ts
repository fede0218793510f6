import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CONFIG_NAMES, findConfigFile } from '../../config/read-config-file.ts';
import { EXIT_CODES, textFlags, UsageError } from '../command.ts';
import type { Command } from '../command.ts';
import { Supervisor } from '../dev/supervisor.ts';
import { httpOptions, serveUntilEnd, TRANSPORT_FLAGS } from '../transport-flags.ts';

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
    if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`);
    const supervisor = new Supervisor({ file, terminal });
    for (const path of textFlags(call, 'watch').map((each) => resolve(terminal.cwd, each))) {
      if (!existsSync(path)) throw new UsageError(`--watch: there is no ${path}.`);
      if (statSync(path).isDirectory()) supervisor.watchFolder(path);
      else supervisor.watchFile(path);
    }
    supervisor.watchFile(file);
    const stop = stopBeforeBegun();
    try {
      const begun = await Promise.race([supervisor.begin(), stop.stopped]);
      stop.forget();
      if (begun === undefined) return EXIT_CODES.ok.code;
      await serveUntilEnd(begun.hot.server, httpOptions(call, begun.sketch.transport), terminal);
      await begun.hot.server.close();
      return EXIT_CODES.ok.code;
    } finally {
      await supervisor.close();
    }
  },
};

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Whoever waits for a version that can be loaded may give up. */
function stopBeforeBegun(): { readonly stopped: Promise<undefined>; readonly forget: () => void } {
  let stop: () => void = () => {};
  const stopped = new Promise<undefined>((end) => {
    stop = () => end(undefined);
  });
  for (const signal of SIGNALS) process.once(signal, stop);
  return {
    stopped,
    forget: () => {
      for (const signal of SIGNALS) process.off(signal, stop);
    },
  };
}
