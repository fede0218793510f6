import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { DefinitionError } from '../../errors/errors.ts';

/** An error with the position and the reason of a syntax error; undefined for other errors, or if the position is unknown. */
export async function explainSyntaxError(error: unknown, file: string): Promise<DefinitionError | undefined> {
  if (!(error instanceof Error)) return undefined;
  const place = error instanceof SyntaxError ? await findPlace(error, file) : readJitiPlace(error);
  return place === undefined ? undefined : new DefinitionError(describe(place), { cause: error });
}

interface Place {
  /** File and line. */
  readonly where: string;
  readonly reason: string;
  /** The source line; empty if unknown. */
  readonly code: string;
  /** Marks below the invalid part of the line; empty if unknown. */
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

/** Node attaches the position only to errors of CommonJS modules. For ES modules, a second process parses them again and prints it. */
async function findPlace(error: SyntaxError, file: string): Promise<Place | undefined> {
  const place = readPlace(error.stack ?? '') ?? readPlace(await parseAgain(file));
  // It may be an error in another module, which was never loaded.
  return place?.reason === `SyntaxError: ${error.message}` ? place : undefined;
}

function readPlace(printed: string): Place | undefined {
  const [where = '', code = '', marks = '', , reason = ''] = printed.split('\n');
  return /:\d+$/.test(where) && /^\s*\^+\s*$/.test(marks) ? { where, code, marks, reason } : undefined;
}

/** Parses a module and its relative imports without running them. */
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

/** The error output of a process that parses a file. */
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

/** Reads a message of jiti: the reason in the first line, the position in the last. */
function readJitiPlace({ message }: Error): Place | undefined {
  const lines = message.split('\n').map((line) => line.trim());
  const [reason = '', where = ''] = [lines[0], lines.at(-1)];
  return reason.startsWith('ParseError: ') && /:\d+:\d+$/.test(where)
    ? { where, reason, code: '', marks: '' }
    : undefined;
}
