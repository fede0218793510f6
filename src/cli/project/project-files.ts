import { join } from 'node:path';
import { SNIPPETS } from '../../transport/client-snippets.ts';
import type { Reach } from '../../transport/client-snippets.ts';
import type { Ending, Template } from './templates.ts';

/** A new project. */
export interface Project {
  readonly name: string;
  readonly folder: string;
  readonly template: Template;
  readonly ending: Ending;
  /** The version of toolwright in its dependencies. */
  readonly dependency: string;
}

/** The files of a new project, by path. */
export function projectFiles(project: Project): Readonly<Record<string, string>> {
  const { name, template, ending } = project;
  const sources = Object.entries(template.sources(name)).map(([source, text]) => [
    `src/${source}.${ending}`,
    ending === 'ts' ? text : text.replaceAll(/(from '\.\/[\w.]+)\.ts'/g, "$1.js'"),
  ]);
  return {
    'package.json': json(packageOf(project)),
    ...(ending === 'ts' ? { 'tsconfig.json': json(TSCONFIG) } : {}),
    ...(Object.fromEntries(sources) as Record<string, string>),
    ...template.files(name, ending),
    '.gitignore': ending === 'ts' ? 'node_modules/\ndist/\n' : 'node_modules/\n',
    'README.md': readmeOf(project),
  };
}

/** Commands that try out a new project, after `npm install`. */
export function firstSteps({ template, ending }: Project): string[] {
  const file = `src/${template.server ?? ''}.${ending}`;
  return ['npm test', `npx toolwright ${template.trial.replace('{server}', file)}`, 'npm run dev'];
}

const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Sources import each other with the `.ts` extension, which Node, jiti and the compiler resolve; the compiler rewrites it to `.js`. */
const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    rewriteRelativeImportExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    rootDir: 'src',
    outDir: 'dist',
  },
  include: ['src'],
};

function packageOf({ name, template, ending, dependency }: Project): object {
  const isTyped = ending === 'ts';
  const { server, watched } = template;
  const watch = watched === undefined ? '' : ` --watch ${watched}`;
  const dev = `toolwright dev${server === undefined ? '' : ` src/${server}.${ending}`} --http${watch}`;
  const built = isTyped ? 'dist' : 'src';
  const start = server === undefined ? 'toolwright serve' : `node ${built}/main.js`;
  // The modules of a configuration are compiled when they are loaded.
  const loadsSources = isTyped && server === undefined;
  return {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: {
      dev,
      ...(isTyped ? { build: 'tsc' } : {}),
      ...(isTyped && !loadsSources ? { prestart: 'npm run build' } : {}),
      start,
      test: `${isTyped ? 'tsc && ' : ''}node --test ${built}/*.test.js`,
    },
    dependencies: {
      ...(loadsSources ? JITI : {}),
      toolwright: dependency,
      zod: '^4.2.0',
    },
    ...(isTyped
      ? {
          devDependencies: { '@types/node': '^20.19.0', ...(loadsSources ? {} : JITI), typescript: '^7.0.0' },
        }
      : {}),
    engines: { node: '>=20.19' },
  };
}

/** Compiles TypeScript for the commands. */
const JITI = { jiti: '^2.7.0' };

function readmeOf(project: Project): string {
  const { name, folder, template, ending } = project;
  const main = join(folder, ending === 'ts' ? 'dist' : 'src', 'main.js');
  const isStarted = template.transport === 'stdio';
  const reach: Reach = isStarted ? { command: 'node', args: [main] } : { url: 'http://127.0.0.1:3000/mcp' };
  const first = isStarted
    ? `Clients start the server${ending === 'ts' ? '; run `npm run build` first' : ''}.`
    : 'Start the server with `npm start`, then add its URL to a client.';
  return `# ${name}

\`\`\`sh
npm install
${firstSteps(project).join('\n')}
\`\`\`

\`npm run dev\` serves at http://127.0.0.1:3000/mcp and reloads on every change.

## Add it to a client

${first}

Claude Code:

\`\`\`sh
${SNIPPETS['claude-code']?.write(name, reach) ?? ''}
\`\`\`

Cursor, in \`.cursor/mcp.json\`${isStarted ? '; Claude Desktop, in `claude_desktop_config.json`' : ''}:

\`\`\`json
${SNIPPETS['cursor']?.write(name, reach) ?? ''}
\`\`\`
`;
}
