/** `npm run docs`: builds the documentation site from docs/ and the doc comments of src/, with the tools of `site/` alone, and checks its links. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatPackageList } from './docs/llms.mjs';
import { serveFolder } from './docs/serve-folder.mjs';
import { assertNode, ensureInstalled, install, root, run } from './steps.mjs';

const USAGE = `npm run docs [-- options]

  --serve         build, then serve the site on this machine
  --port <port>   with --serve: the port (4173); 0 picks a free one
  --base <path>   the path that the site will have on its host, such as /toolwright/ (/)
  --llms          only write docs/llms.txt
  --help          print this text

The site is in site/dist. It loads nothing from other hosts; its search works offline.`;

const { serve, port, base, llms, help } = readOptions();
if (help) {
  console.log(USAGE);
  process.exit();
}
assertNode();
writeFileSync(join(root, 'docs', 'llms.txt'), formatPackageList());
if (!llms) {
  process.exitCode = buildSite() ? 0 : 1;
  if (serve && process.exitCode === 0) {
    const url = await serveFolder(join(root, 'site', 'dist'), { port: Number(port), base });
    console.log(`${url} (Ctrl+C ends it)`);
  }
}

function buildSite() {
  // Types of dependencies are part of the reference.
  ensureInstalled();
  const cwd = join(root, 'site');
  process.env.DOCS_BASE = base;
  return install(cwd) && run(process.execPath, ['build.mjs'], { cwd }).ok;
}

function readOptions() {
  try {
    const boolean = { type: 'boolean', default: false };
    const { values } = parseArgs({
      options: {
        serve: boolean,
        port: { type: 'string', default: '4173' },
        base: { type: 'string', default: '/' },
        llms: boolean,
        help: { ...boolean, short: 'h' },
      },
    });
    if (!/^\/(?:.*\/)?$/.test(values.base))
      throw new Error(
        `Invalid --base "${String(values.base)}": expected a path that begins and ends with "/".`,
      );
    if (!/^\d{1,5}$/.test(values.port))
      throw new Error(`Invalid --port "${String(values.port)}": expected a number.`);
    return values;
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
}
