import { execFile } from 'node:child_process';
import { extname } from 'node:path';

/** The one that cannot be read was among the last. */
const MAX_CHECKED = 20;

/** Where a mistake in the syntax stands. What `import()` throws does not say it: neither the file nor the line. */
export async function locateSyntaxError(files: readonly string[]): Promise<string[]> {
  const scripts = files.filter((file) => ['.js', '.mjs', '.cjs'].includes(extname(file))).slice(-MAX_CHECKED);
  for (const file of scripts.toReversed()) {
    const problem = await check(file);
    if (problem !== undefined) return [problem];
  }
  return [];
}

/** What Node says of a file, down to what is wrong; undefined when it can be read. */
function check(file: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--check', file], { timeout: 5000 }, (error, _stdout, stderr) => {
      const lines = stderr.split('\n');
      const end = lines.findIndex((line) => line.startsWith('SyntaxError'));
      resolve(error === null || end === -1 ? undefined : lines.slice(0, end + 1).join('\n'));
    });
  });
}
