import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const MAX_TEXT = 16_000;
const MAX_VALUE = 2_000;
const MAX_CODE = 500;
const MAX_FRAMES = 50;
const MAX_CAUSES = 5;
const MAX_DIFF_LINES = 200;
const MAX_SOURCE_BYTES = 2_000_000;

/** Keeps the beginning and the end of a long text. */
export function cut(text, limit = MAX_TEXT) {
  const plain = stripVTControlCharacters(String(text));
  if (plain.length <= limit) return plain;
  const half = limit / 2;
  return `${plain.slice(0, half)}\n[${plain.length - limit} characters omitted]\n${plain.slice(-half)}`;
}

/**
 * @param settings.project {string} Real path of the project folder.
 * @param settings.parseStack {(error: object) => readonly { method: string, file: string, line: number }[]} The parser of vitest.
 */
export function createErrorDescriber({ project, parseStack }) {
  const sources = new Map();

  function toFile(path) {
    const file = path.startsWith('file:') ? fileURLToPath(path) : path;
    return file.startsWith(project + sep) ? relative(project, file) : file;
  }

  function readLine(file, line) {
    if (!sources.has(file)) sources.set(file, readLines(file));
    return cut((sources.get(file)[line - 1] ?? '').trim(), MAX_CODE);
  }

  function describeFrames(error) {
    const parsed = error.stacks ?? (error.stack ? parseStack(error) : []);
    const frames = parsed.toReversed().map(({ method, file: path, line }) => {
      const file = toFile(path);
      const in_project = !isAbsolute(file) && !file.split(sep).includes('node_modules');
      return { file, line, function: method || '<anonymous>', code: readLine(path, line), in_project };
    });
    const half = MAX_FRAMES / 2;
    // Recursion: the first and the last frames show where it begins and ends.
    return frames.length <= MAX_FRAMES ? frames : [...frames.slice(0, half), ...frames.slice(-half)];
  }

  function describeError(error) {
    return {
      type: String(error.name ?? 'Error'),
      message: cut(error.message ?? ''),
      traceback: describeFrames(error),
    };
  }

  function listCauses(error) {
    const causes = [];
    for (let { cause } = error; isObject(cause) && causes.length < MAX_CAUSES; { cause } = cause) {
      causes.push(describeError(cause));
    }
    return causes;
  }

  return {
    toFile,
    /** The fields of a failed phase. There are several errors after soft assertions and after retries. */
    describeFailure(errors) {
      const [first = {}] = errors;
      const { type, traceback } = describeError(first);
      const messages = errors.map((error) => `${error.name ?? 'Error'}: ${error.message ?? ''}`);
      return {
        message: cut([...new Set(messages)].join('\n')),
        error_type: type,
        traceback,
        causes: listCauses(first),
        assertion: describeAssertion(first),
      };
    },
    /** The fields of an error outside of tests. */
    describeOutside(error, path) {
      const described = describeError(error);
      const own = described.traceback.findLast(({ in_project }) => in_project);
      // Syntax errors have a place, but no frame of the file.
      const place = error.__vitest_rollup_error__?.loc ?? error.loc;
      if (place?.file) return { ...described, file: toFile(place.file), line: place.line ?? null };
      if (own !== undefined) return { ...described, file: own.file, line: own.line };
      return { ...described, file: path, line: null };
    },
  };
}

function describeAssertion({ operator, actual, expected, diff }) {
  if (diff === undefined && (actual === undefined || expected === undefined)) return null;
  return {
    operator: String(operator ?? ''),
    left: cut(actual, MAX_VALUE),
    right: cut(expected, MAX_VALUE),
    diff: diff === undefined ? [] : cut(diff).split('\n').slice(0, MAX_DIFF_LINES),
  };
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

function readLines(path) {
  try {
    const file = path.startsWith('file:') ? fileURLToPath(path) : path;
    const stat = statSync(file);
    return stat.isFile() && stat.size <= MAX_SOURCE_BYTES ? readFileSync(file, 'utf8').split('\n') : [];
  } catch {
    return [];
  }
}
