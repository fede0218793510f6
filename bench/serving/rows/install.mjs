import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folder as dist } from '../../library.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const MAX_PACKAGES = 15;

const { dependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const pinned = (...names) => names.map((name) => `${name}@${dependencies[name]}`);

/** Packages that serve over HTTP on Node with one schema library. */
const PEERS = {
  'SDK v2': pinned('@modelcontextprotocol/server', '@modelcontextprotocol/node', 'zod'),
  'SDK v1': pinned('@modelcontextprotocol/sdk', 'zod'),
  tmcp: pinned('tmcp', '@tmcp/adapter-zod', '@tmcp/transport-http', '@remix-run/node-fetch-server', 'zod'),
};

/** Size of an install: packages, and disk space. */
export const install = {
  name: 'install',
  measure: async (report) => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-bench-'));
    const installed = {};
    try {
      const all = { ours: [pack(folder), ...pinned('zod')], ...PEERS };
      for (const [name, packages] of Object.entries(all)) {
        report(name);
        installed[name] = installInto(join(folder, name.replace(' ', '-')), packages);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
    return { lines: toLines(installed) };
  },
};

function toLines(installed) {
  const figures = (member) =>
    Object.fromEntries(Object.entries(installed).map(([name, figure]) => [name, figure[member]]));
  const { packages, mb } = installed.ours;
  return [
    {
      measure: 'install with Zod: packages',
      target: `≤ ${MAX_PACKAGES}`,
      figures: figures('packages'),
      verdicts: [{ text: `${packages} packages`, isMet: packages <= MAX_PACKAGES }],
    },
    {
      measure: 'install with Zod: MB',
      target: '≤ SDK v2',
      figures: figures('mb'),
      verdicts: [{ text: `${mb.toFixed(1)} MB`, isMet: mb <= installed['SDK v2'].mb }],
    },
  ];
}

/** The package of the measured build, as published. */
function pack(folder) {
  const source = join(folder, 'package');
  mkdirSync(source);
  const {
    scripts: _,
    workspaces: __,
    ...manifest
  } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(source, 'package.json'), JSON.stringify(manifest));
  cpSync(dist, join(source, 'dist'), { recursive: true });
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md'])
    if (existsSync(join(root, file))) cpSync(join(root, file), join(source, file));
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], source));
  return join(folder, filename);
}

function installInto(folder, packages) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', ...packages], folder);
  const modules = join(folder, 'node_modules');
  const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  const [kb] = execFileSync('du', ['-sk', modules], { encoding: 'utf8' }).split('\t');
  return { packages: Object.keys(lock.packages).length, mb: Number(kb) / 1024 };
}

function npm(args, cwd) {
  return execFileSync('npm', [...args, '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
