import { ValidationError } from '../errors/errors.ts';
import { percentEncode } from './percent-encode.ts';

/** Treatment of slashes in a path value: rejected, sent as `%2F`, or sent unchanged, so that the value spans several segments. */
export type Slashes = 'refused' | 'encoded' | 'kept';

/** A path template with `{name}` placeholders. */
export interface PathTemplate {
  readonly names: readonly string[];
  /** Returns the path with its values. Each value is one segment or part of one; throws a `ValidationError` for other values. */
  fill(values: Readonly<Record<string, string>>): string;
  /**
   * Same as `fill` for values that are already encoded and may have separators, such as `;a=1`. The caller applies {@link assertPathValue}.
   */
  fillEncoded(values: ReadonlyMap<string, string>): string;
}

type Part = { readonly text: string } | { readonly name: string };

/** Parses a template such as `/users/{id}/notes`. Values of the names in `spanning` may be several segments. */
export function readPathTemplate(template: string, spanning: ReadonlySet<string> = NONE): PathTemplate {
  const parts: Part[] = [];
  const names = new Set<string>();
  let rest = template;
  for (let open = rest.indexOf('{'); open !== -1; open = rest.indexOf('{')) {
    const close = rest.indexOf('}', open);
    if (close === -1) break;
    const name = rest.slice(open + 1, close);
    parts.push({ text: rest.slice(0, open) }, { name });
    names.add(name);
    rest = rest.slice(close + 1);
  }
  parts.push({ text: rest });
  const oneEach = shapeOf(parts, () => 1);
  const fillEncoded: PathTemplate['fillEncoded'] = (values) => {
    let path = '';
    for (const part of parts)
      path += 'text' in part ? part.text : takeEncoded(part.name, values, spanning.has(part.name));
    const segmentsOf = (name: string): number =>
      spanning.has(name) ? (values.get(name) ?? '').split('/').length : 1;
    assertShape(path, spanning.size === 0 ? oneEach : shapeOf(parts, segmentsOf));
    return path;
  };
  return {
    names: [...names],
    fill: (values) => fillEncoded(new Map([...names].map((name) => [name, encodeValue(name, values)]))),
    fillEncoded,
  };
}

// defence: values-of-a-path
function encodeValue(name: string, values: Readonly<Record<string, string>>): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) throw refusePathValue(name, 'it is missing');
  assertPathValue(name, value);
  return percentEncode(value);
}

// defence: encoded-values-of-a-path
function takeEncoded(name: string, values: ReadonlyMap<string, string>, isSpanning: boolean): string {
  const value = values.get(name);
  if (value === undefined) throw refusePathValue(name, 'it is missing');
  if (value === '') throw refusePathValue(name, 'it is empty');
  if (/[\\?#]/.test(value) || (!isSpanning && value.includes('/')))
    throw refusePathValue(name, 'it has a slash, a backslash, a "?" or a "#"');
  return value;
}

/**
 * Rejects values that a server could interpret as path syntax: some servers decode twice, some decode `%2F` before they resolve dot
 * segments.
 */
export function assertPathValue(name: string, value: string, slashes: Slashes = 'refused'): void {
  const why =
    findPathProblem(value, slashes) ??
    (value.includes('%') ? findPathProblem(decodeOnce(value), slashes) : undefined);
  if (why !== undefined) throw refusePathValue(name, why);
}

function findPathProblem(text: string, slashes: Slashes): string | undefined {
  const parts = text.split('/');
  if (parts.every((part) => part === '')) return text === '' ? 'it is empty' : 'it has only slashes';
  if (parts.some((part) => isDots(part, /[;?#%]/))) return 'it has a "." or ".." segment';
  if (slashes === 'refused' && parts.length > 1) return 'it has a slash';
  if (slashes === 'kept' && parts.includes('')) return 'it has an empty segment';
  // Usually the caller has already encoded the value.
  if (slashes !== 'refused' && /%2f/i.test(text)) return 'it has an encoded slash; write it as "/"';
  if (text.includes('\\')) return 'it has a backslash';
  // oxlint-disable-next-line no-control-regex -- those are what is looked for
  if (/[\u0000-\u001F\u007F]/.test(text)) return 'it has a control character';
  return /[\uD800-\uDFFF]/u.test(text) ? 'it has an unpaired surrogate' : undefined;
}

/** Error for a value that cannot be part of a path. */
export function refusePathValue(name: string, why: string): ValidationError {
  const message = `cannot be part of the path: ${why}`;
  return new ValidationError([{ path: [name], message }], `The value of "${name}" ${message}.`);
}

/** Error for values that would change the path together. */
export function refusePath(): ValidationError {
  const message = 'The values would change the structure of the path.';
  return new ValidationError([{ path: [], message }], message);
}

/** Dots, and characters that some servers normalize to dots. */
const DOTS = /^[.\u2024\u2025\u2026\uFF0E\u3002]+$/;

/** Whether some servers read a segment as dots: they drop invisible characters, and everything after a `;`, first. */
function isDots(segment: string, end: RegExp): boolean {
  const [start = ''] = segment.replaceAll(/[\s\p{Default_Ignorable_Code_Point}]/gu, '').split(end, 1);
  return DOTS.test(start);
}

/** The value decoded once, as lenient servers decode it: invalid percent-encoding stays, everything else is decoded. */
function decodeOnce(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value.replaceAll(/(?:%[\dA-Fa-f]{2})+/g, (run) => {
      const bytes = run.split('%').slice(1);
      return new TextDecoder().decode(Uint8Array.from(bytes, (hex) => Number.parseInt(hex, 16)));
    });
  }
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Segments of a path: the text of each, or undefined for a segment with a value. Two different sets of values show which segments have one.
 */
function shapeOf(
  parts: readonly Part[],
  segmentsOf: (name: string) => number,
): readonly (string | undefined)[] {
  const filledWith = (value: string): string[] =>
    normalize(
      parts
        .map((part) =>
          'text' in part ? part.text : Array<string>(segmentsOf(part.name)).fill(value).join('/'),
        )
        .join(''),
    );
  const other = filledWith('b');
  return filledWith('a').map((segment, index) => (segment === other[index] ? segment : undefined));
}

/** The segments of the parsed URL must be those of the template. */
// defence: shape-of-a-path
function assertShape(path: string, shape: readonly (string | undefined)[]): void {
  const segments = normalize(path);
  let fits = segments.length === shape.length;
  for (const [index, segment] of segments.entries())
    fits &&= shape[index] === undefined ? isHarmless(segment) : segment === shape[index];
  if (!fits) throw refusePath();
}

/** Template text and values can form dots together that neither has alone. */
function isHarmless(segment: string): boolean {
  const parts = decodeOnce(segment).split('/');
  return segment !== '' && !parts.some((part) => isDots(part, /[;?#]/));
}

/** Parsed after a host, because a path that begins with two slashes would be parsed as a host. */
function normalize(path: string): string[] {
  return new URL(`http://host${path.startsWith('/') ? path : `/${path}`}`).pathname.split('/');
}
