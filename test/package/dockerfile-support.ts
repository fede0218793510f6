import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** One instruction of a Dockerfile. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The result of the last stage: what a container of the image would run. */
export interface Image {
  /** The working directory. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string;
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

/** The instructions of a Dockerfile, without comments; continued lines are joined. */
export function readInstructions(dockerfile: string): Instruction[] {
  return dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name = ''] = line.split(' ', 1);
      return { name, text: line.slice(name.length).trim() };
    });
}

interface Stage {
  readonly root: string;
  cwd: string;
  user: string;
  env: Record<string, string>;
  command: readonly string[];
  healthcheck: readonly string[];
}

/**
 * Executes the instructions with folders in place of images: every `RUN` is run by the shell of this machine. Base images and users are not
 * applied. Unknown instructions are errors.
 */
export async function buildImage(
  instructions: readonly Instruction[],
  { context, folder }: { readonly context: string; readonly folder: string },
): Promise<Image> {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const { name, text } of instructions) {
    if (name === 'FROM') {
      const [, as = 'final'] = /^node:\d+-slim(?: AS (\w+))?$/.exec(text) ?? fail(name, text);
      stage = { root: join(folder, as), cwd: '/', user: 'root', env: {}, command: [], healthcheck: [] };
      mkdirSync(stage.root);
      stages.set(as, stage);
    } else await apply(stage ?? fail(name, text), { name, text }, { context, stages });
  }
  const { root, cwd, env, user, command, healthcheck } = stage ?? fail('FROM', '');
  return { folder: join(root, cwd), env, user, command, healthcheck };
}

interface Sources {
  readonly context: string;
  readonly stages: ReadonlyMap<string, Stage>;
}

async function apply(stage: Stage, { name, text }: Instruction, sources: Sources): Promise<void> {
  const here = join(stage.root, stage.cwd);
  if (name === 'WORKDIR') mkdirSync(join(stage.root, (stage.cwd = text)), { recursive: true });
  else if (name === 'COPY') copy(text, here, sources);
  else if (name === 'RUN')
    await execute('sh', ['-c', text], {
      cwd: here,
      env: { ...process.env, ...stage.env, npm_config_prefer_offline: 'true' },
    });
  else if (name === 'ENV')
    Object.assign(stage.env, Object.fromEntries(text.split(' ').map((pair) => pair.split('=', 2))));
  else if (name === 'USER') stage.user = text;
  else if (name === 'CMD') stage.command = JSON.parse(text) as string[];
  else if (name === 'HEALTHCHECK')
    stage.healthcheck = JSON.parse(text.slice(text.indexOf('[', text.indexOf('CMD')))) as string[];
  else if (name !== 'EXPOSE') fail(name, text);
}

function copy(text: string, here: string, { context, stages }: Sources): void {
  const words = text.split(' ');
  const [, from] = /^--from=(\w+)$/.exec(words[0] ?? '') ?? [];
  if (from !== undefined) words.shift();
  const target = join(here, words.pop() ?? fail('COPY', text));
  for (const word of words) {
    // A link is faster than a copy.
    if (from !== undefined) symlinkSync(join(stages.get(from)?.root ?? fail('COPY', text), word), target);
    else
      for (const source of word.startsWith('*') ? matching(context, word.slice(1)) : [word])
        copyFileSync(join(context, source), join(target, source));
  }
}

function matching(folder: string, end: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith(end));
}

function fail(name: string, text: string): never {
  throw new Error(`The test cannot run this instruction: ${name} ${text}`);
}
