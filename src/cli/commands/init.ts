import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { EXIT_CODES, refuseMore, UsageError } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { projectFiles } from '../target/project-files.ts';
import { VERSION } from '../terminal/version.ts';

/** `toolwright init` */
export const init: Command = {
  name: 'init',
  summary: 'Make a new project: a server with a tool, a prompt, a resource and tests',
  usage: ['[folder] [options]'],
  details: 'Without a folder it is this one. Nothing that is there is replaced.',
  flags: {
    name: {
      type: 'string',
      short: 'n',
      value: 'name',
      description: 'What the server is called (the name of the folder)',
    },
  },
  examples: [
    ['toolwright init weather', 'a project in the new folder weather'],
    ['toolwright init --name my-server', 'a project in this folder'],
  ],
  run: async ({ terminal, positionals, flags }) => {
    refuseMore(positionals, 1, '"toolwright init" takes one folder.');
    const [given] = positionals;
    const folder = resolve(terminal.cwd, given ?? '.');
    const name = typeof flags['name'] === 'string' ? flags['name'] : toName(basename(folder));
    if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name)) {
      throw new UsageError(
        `Invalid project name "${name}": use lowercase letters, digits, ".", "_" and "-". Set it with --name.`,
      );
    }
    const files = projectFiles(name, VERSION);
    assertRoom(Object.keys(files).map((file) => join(folder, file)));
    const taken = Object.keys(files).filter((file) => existsSync(join(folder, file)));
    if (taken.length > 0)
      throw new UsageError(
        `${folder} has ${taken.join(', ')} already. Nothing was written; use an empty folder.`,
      );
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), content);
      terminal.err(`${terminal.paintErr.green('made')} ${file}`);
    }
    const enter =
      given === undefined ? [] : [`cd ${/^[\w./-]+$/.test(given) ? given : JSON.stringify(given)}`];
    const steps = [
      ...enter,
      'npm install',
      'npm test',
      'npx toolwright call greet name=Ada',
      'npx toolwright serve --http',
    ];
    terminal.err(`\nNext:\n${steps.map((step) => `  ${step}`).join('\n')}`);
    const extra =
      readdirSync(folder).length - new Set(Object.keys(files).map((file) => file.split('/')[0])).size;
    if (extra > 0)
      terminal.err(terminal.paintErr.dim(`\n${extra} other files of the folder were left as they are.`));
    return EXIT_CODES.ok.code;
  },
};

/** Looked at before anything is written: half a project helps nobody. */
function assertRoom(files: readonly string[]): void {
  for (const file of files) {
    let parent = dirname(file);
    while (!existsSync(parent)) parent = dirname(parent);
    if (!statSync(parent).isDirectory())
      throw new UsageError(`${parent} is a file, and must be a folder. Nothing was written.`);
  }
}

/** What a folder is called, as npm would have it. */
function toName(folder: string): string {
  const words = folder.toLowerCase().split(/[^a-z0-9._]+/);
  return words
    .filter(Boolean)
    .join('-')
    .replace(/^[^a-z0-9]+/, '');
}
