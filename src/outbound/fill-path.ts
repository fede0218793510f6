import { OutboundError } from './outbound-error.ts';
import { percentEncode } from './percent-encode.ts';

/** A path with `{name}` in it, ready to be filled in. */
export interface PathTemplate {
  readonly names: readonly string[];
  /** The path with its values; every value stays what it is, one segment or a part of one. Throws where it could not. */
  fill(values: Readonly<Record<string, string>>): string;
  /** The same with values that are encoded already and may have separators of their own, such as `;a=1`. {@link assertPathValue} is up to the caller. */
  fillEncoded(values: ReadonlyMap<string, string>): string;
}

type Part = { readonly text: string } | { readonly name: string };

/** Reads `/users/{id}/notes`. */
export function readPathTemplate(template: string): PathTemplate {
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
  const shape = shapeOf(parts);
  const fillEncoded: PathTemplate['fillEncoded'] = (values) => {
    let path = '';
    for (const part of parts) path += 'text' in part ? part.text : takeEncoded(part.name, values);
    assertShape(path, shape);
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
function takeEncoded(name: string, values: ReadonlyMap<string, string>): string {
  const value = values.get(name);
  if (value === undefined) throw refusePathValue(name, 'it is missing');
  if (value === '') throw refusePathValue(name, 'it is empty');
  if (/[/\\?#]/.test(value)) throw refusePathValue(name, 'it has a slash, a backslash, a "?" or a "#"');
  return value;
}

/** Refuses values that are not one segment, or that servers take for something else than a name. */
export function assertPathValue(name: string, value: string): void {
  const why =
    findPathProblem(value) ?? (value.includes('%') ? findPathProblem(decodeOnce(value)) : undefined);
  if (why !== undefined) throw refusePathValue(name, why);
}

function findPathProblem(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (DOTS.test(text)) return 'it names another folder';
  if (text.includes('/')) return 'it has a slash';
  if (text.includes('\\')) return 'it has a backslash';
  // oxlint-disable-next-line no-control-regex -- those are what is looked for
  if (/[\u0000-\u001F\u007F]/.test(text)) return 'it has a control character';
  return /[\uD800-\uDFFF]/u.test(text) ? 'it has half of a character' : undefined;
}

/** Why a value is not sent. */
export function refusePathValue(name: string, why: string): OutboundError {
  return new OutboundError('blocked', `The value of "${name}" cannot be part of the path: ${why}.`);
}

/** Dots, and what some servers make ordinary dots of. Some drop what is behind a `;` before they look for dots. */
const DOTS = /^\s*[.\u2024\u2025\u2026\uFF0E\u3002]+\s*(?:;|$)/;

/** Some servers decode twice. */
function decodeOnce(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Every segment of a path: its text, or undefined where a value stands in it, which is where two values make a difference. */
function shapeOf(parts: readonly Part[]): readonly (string | undefined)[] {
  const filledWith = (value: string): string[] =>
    normalize(parts.map((part) => ('text' in part ? part.text : value)).join(''));
  const other = filledWith('b');
  return filledWith('a').map((segment, index) => (segment === other[index] ? segment : undefined));
}

/** What the URL really says must be what the template says, segment for segment. */
// defence: shape-of-a-path
function assertShape(path: string, shape: readonly (string | undefined)[]): void {
  const segments = normalize(path);
  let fits = segments.length === shape.length;
  for (const [index, segment] of segments.entries())
    fits &&=
      shape[index] === undefined
        ? segment !== '' && !DOTS.test(decodeOnce(segment))
        : segment === shape[index];
  if (!fits)
    throw new OutboundError('blocked', 'The values would lead to another path than the one that is meant.');
}

/** Behind a host: by itself, a path that begins with two slashes would be read as a host. */
function normalize(path: string): string[] {
  return new URL(`http://host${path.startsWith('/') ? path : `/${path}`}`).pathname.split('/');
}
