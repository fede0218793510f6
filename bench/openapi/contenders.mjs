/** The compared servers, with the command that starts each for one document. All of them use stdio. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../../node_modules/esbuild/lib/main.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const packages = join(here, 'node_modules');

/**
 * @typedef {{ document: string, baseUrl: string, folder: string }} Start where the document is, where the API is, and a folder of its own
 * @typedef {{ command: string, args: readonly string[], env?: Readonly<Record<string, string>> }} Command
 * @typedef {{ name: string, toCommand(start: Start): Command | Promise<Command> }} Contender
 */

/** @type {Contender} */
const toolwright = {
  name: 'toolwright',
  toCommand: ({ document, baseUrl }) => ({
    command: process.execPath,
    args: [join(here, 'toolwright-server.mjs'), document, baseUrl],
  }),
};

/** @type {Contender} */
const ivotoby = {
  name: '@ivotoby/openapi-mcp-server',
  toCommand: ({ document, baseUrl }) => ({
    command: process.execPath,
    args: [
      join(packages, '@ivotoby/openapi-mcp-server/bin/mcp-server.js'),
      '--transport=stdio',
      '--tools=all',
      `--openapi-spec=${document}`,
      `--api-base-url=${baseUrl}`,
    ],
  }),
};

/** Writes the source of a server, which is compiled and started as it is. @type {Contender} */
const generator = {
  name: 'openapi-mcp-generator',
  toCommand: async ({ document, baseUrl, folder }) => {
    const project = join(folder, 'generated');
    mkdirSync(project, { recursive: true });
    const cli = join(packages, 'openapi-mcp-generator/bin/openapi-mcp-generator.js');
    execFileSync(process.execPath, [cli, '-i', document, '-o', project, '-b', baseUrl, '--force'], {
      stdio: 'ignore',
      timeout: 120_000,
    });
    symlinkSync(packages, join(project, 'node_modules'));
    const outfile = join(project, 'build/index.js');
    await build({
      entryPoints: [join(project, 'src/index.ts')],
      outfile,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      logLevel: 'error',
    });
    return { command: process.execPath, args: [outfile] };
  },
};

/** @type {readonly Contender[]} */
export const CONTENDERS = [toolwright, ivotoby, generator];
