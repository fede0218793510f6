import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { didYouMean } from '../../errors/nearest-names.ts';
import { findOwnDependency } from '../project/own-dependency.ts';
import { firstSteps, projectFiles } from '../project/project-files.ts';
import { TEMPLATES } from '../project/templates.ts';
import type { TemplateName } from '../project/templates.ts';
import { quote } from '../../transport/client-snippets.ts';
import { EXIT_CODES, refuseMore, textFlag, UsageError } from '../terminal/command.ts';
import type { Command, CommandCall } from '../terminal/command.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { OWN_PACKAGE } from '../terminal/version.ts';

const TEMPLATE_NAMES = Object.keys(TEMPLATES) as readonly TemplateName[];
const LANGUAGES = ['ts', 'js'] as const;

/** `toolwright init` */
export const init: Command = {
  name: 'init',
  summary: 'Create a new project: a server in TypeScript or JavaScript, with tests',
  usage: ['[folder] [options]'],
  details: `Default folder: this one. Existing files are never replaced. In a terminal, you are asked for the template and the language. Templates:
${TEMPLATE_NAMES.map((name) => `${name}: ${TEMPLATES[name].what}`).join('; ')}.`,
  flags: {
    template: {
      type: 'string',
      short: 't',
      value: TEMPLATE_NAMES.join('/'),
      description: 'Template of the project (default: minimal)',
    },
    language: {
      type: 'string',
      short: 'l',
      value: LANGUAGES.join('/'),
      description: 'TypeScript or JavaScript (default: ts)',
    },
    name: {
      type: 'string',
      short: 'n',
      value: 'name',
      description: 'Name of the server (default: the name of the folder)',
    },
  },
  examples: [
    ['toolwright init weather', 'create a project in the new folder weather'],
    ['toolwright init weather --template http --language js', 'create it without prompts'],
    ['toolwright init --name my-server', 'create a project in this folder'],
  ],
  run: async (call) => {
    const { terminal, positionals } = call;
    refuseMore(positionals, 1, '"toolwright init" takes one folder.');
    const [given] = positionals;
    const folder = resolve(terminal.cwd, given ?? '.');
    const name = textFlag(call, 'name') ?? toName(basename(folder));
    if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name)) {
      throw new UsageError(
        `Invalid project name "${name}": use lowercase letters, digits, ".", "_" and "-". Set it with --name.`,
      );
    }
    const template = TEMPLATES[await choose(call, 'template', TEMPLATE_NAMES)];
    const ending = await choose(call, 'language', LANGUAGES);
    const project = { name, folder, template, ending, dependency: findOwnDependency(OWN_PACKAGE) };
    const files = projectFiles(project);
    write(folder, files, terminal);
    const enter = given === undefined ? [] : [`cd ${quote(given)}`];
    const steps = [...enter, 'npm install', ...firstSteps(project)];
    terminal.err(`\nNext:\n${steps.map((step) => `  ${step}`).join('\n')}`);
    const extra =
      readdirSync(folder).length - new Set(Object.keys(files).map((file) => file.split('/')[0])).size;
    if (extra > 0)
      terminal.err(terminal.paintErr.dim(`\n${extra} other files in the folder were not changed.`));
    return EXIT_CODES.ok.code;
  },
};

/** The value of a flag; without one, the answer in a terminal; otherwise the first choice. */
async function choose<TChoice extends string>(
  call: CommandCall,
  flag: string,
  choices: readonly [TChoice, ...TChoice[]] | readonly TChoice[],
): Promise<TChoice> {
  const [first] = choices as readonly [TChoice, ...TChoice[]];
  const given = textFlag(call, flag);
  const answer = given ?? (await call.terminal.ask?.(`${flag} (${choices.join(', ')}) [${first}]: `));
  if (answer === undefined || (given === undefined && answer.trim() === '')) return first;
  const chosen = choices.find((each) => each === answer.trim());
  if (chosen === undefined)
    throw new UsageError(
      `Invalid --${flag} "${answer}": expected ${choices.join(', ')}.${didYouMean(answer, choices)} Nothing was written.`,
    );
  return chosen;
}

function write(folder: string, files: Readonly<Record<string, string>>, terminal: Terminal): void {
  assertRoom(Object.keys(files).map((file) => join(folder, file)));
  const taken = Object.keys(files).filter((file) => existsSync(join(folder, file)));
  if (taken.length > 0)
    throw new UsageError(
      `${folder} already contains ${taken.join(', ')}. Nothing was written. Use an empty folder.`,
    );
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
    terminal.err(`${terminal.paintErr.green('created')} ${file}`);
  }
}

/** Checks all folders before the first file is written, so that no incomplete project is left. */
function assertRoom(files: readonly string[]): void {
  for (const file of files) {
    let parent = dirname(file);
    while (!existsSync(parent)) parent = dirname(parent);
    if (!statSync(parent).isDirectory())
      throw new UsageError(`${parent} must be a folder, but is a file. Nothing was written.`);
  }
}

/** Converts the name of a folder to a valid package name. */
function toName(folder: string): string {
  const words = folder.toLowerCase().split(/[^a-z0-9._]+/);
  return words
    .filter(Boolean)
    .join('-')
    .replace(/^[^a-z0-9]+/, '');
}
