import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { DefinitionError } from '../../errors/errors.ts';

/** Says where a module cannot be parsed, and why; undefined for any other error, or where that cannot be found out. */
export async function explainSyntaxError(error: unknown, file: string): Promise<DefinitionError | undefined> {
  if (!(error instanceof Error)) return undefined;
  const place = error instanceof SyntaxError ? await findPlace(error, file) : readJitiPlace(error);
  return place === undefined ? undefined : new DefinitionError(describe(place), { cause: error });
}

interface Place {
  /** With its line. */
  readonly where: string;
  readonly reason: string;
  /** The line itself, and marks below the part of it that cannot be parsed; empty where they are not known. */
  readonly code: string;
  readonly marks: string;
}

function describe({ where, reason, code, marks }: Place): string {
  const at = code.slice(marks.search(/\S/));
  const rest = 'in tsconfig.json and compile again';
  if (at.startsWith('@'))
    return `${where}: Node ${process.versions.node} cannot parse decorators: set "target": "es2022" or "experimentalDecorators": true ${rest}.`;
  if (/\busing\s+$/.test(code.slice(0, marks.search(/\S/))))
    return `${where}: Node ${process.versions.node} cannot parse "using": set "target": "es2022" ${rest}, or call close() instead.`;
  return [`${where}: ${reason}`, code, marks].filter(Boolean).join('\n');
}

/** Node prints the place, and tells it in errors of CommonJS alone: a second process parses the ES modules again, and prints it. */
async function findPlace(error: SyntaxError, file: string): Promise<Place | undefined> {
  const place = readPlace(error.stack ?? '') ?? readPlace(await parseAgain(file));
  // Another one may be there that was never loaded.
  return place?.reason === `SyntaxError: ${error.message}` ? place : undefined;
}

function readPlace(printed: string): Place | undefined {
  const [where = '', code = '', marks = '', , reason = ''] = printed.split('\n');
  return /:\d+$/.test(where) && /^\s*\^+\s*$/.test(marks) ? { where, code, marks, reason } : undefined;
}

/** Runs nothing: modules are parsed, and so are those they import from other files. */
const PARSER = `import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SourceTextModule } from 'node:vm';
const parse = (url, seen) => {
  if (seen.has(url.href) || url.protocol !== 'file:' || !/\\.m?js$/.test(url.pathname)) return;
  seen.add(url.href);
  let source;
  try { source = readFileSync(url, 'utf8'); } catch { return; }
  for (const specifier of new SourceTextModule(source, { identifier: fileURLToPath(url) }).dependencySpecifiers)
    if (/^(?:[./]|file:)/.test(specifier)) parse(new URL(specifier, url), seen);
};
parse(new URL(process.argv[1]), new Set());`;

/** What a process prints that parses a file. */
function parseAgain(file: string): Promise<string> {
  const flags = ['--experimental-vm-modules', '--no-warnings', '--input-type=module', '--eval', PARSER];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...flags, '--', pathToFileURL(file).href],
      { timeout: 10_000 },
      (_error, _printed, failure) => resolve(failure),
    );
  });
}

/** jiti writes the reason in the first line, and the place in the last. */
function readJitiPlace({ message }: Error): Place | undefined {
  const lines = message.split('\n').map((line) => line.trim());
  const [reason = '', where = ''] = [lines[0], lines.at(-1)];
  return reason.startsWith('ParseError: ') && /:\d+:\d+$/.test(where)
    ? { where, reason, code: '', marks: '' }
    : undefined;
}
