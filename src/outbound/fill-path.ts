import { OutboundError } from './outbound-error.ts';

/** A path with `{name}` in it, ready to be filled in. */
export interface PathTemplate {
  readonly names: readonly string[];
  /** The path with its values; every value stays what it is, one segment or a part of one. Throws where it could not. */
  fill(values: Readonly<Record<string, string>>): string;
}

type Part = { readonly text: string } | { readonly name: string };

/** Reads `/users/{id}/notes`. */
export function readPathTemplate(template: string): PathTemplate {
  const parts: Part[] = [];
  const names: string[] = [];
  let rest = template;
  for (let open = rest.indexOf('{'); open !== -1; open = rest.indexOf('{')) {
    const close = rest.indexOf('}', open);
    if (close === -1) break;
    const name = rest.slice(open + 1, close);
    parts.push({ text: rest.slice(0, open) }, { name });
    if (!names.includes(name)) names.push(name);
    rest = rest.slice(close + 1);
  }
  parts.push({ text: rest });
  const shape = shapeOf(parts);
  return {
    names,
    fill: (values) => {
      const path = parts
        .map((part) => ('text' in part ? part.text : encodeValue(part.name, values)))
        .join('');
      assertShape(path, shape);
      return path;
    },
  };
}

/** Values that are not one segment, or that servers take for something else than a name. */
function encodeValue(name: string, values: Readonly<Record<string, string>>): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) throw refused(name, 'it is missing');
  const decoded = decodeOnce(value);
  if (value === '' || decoded === '') throw refused(name, 'it is empty');
  for (const text of [value, decoded]) {
    if (/^\.{1,2}$/.test(text.trim())) throw refused(name, 'it names another folder');
    // Dots that some servers make ordinary ones of.
    if (/^[.\u2024\u2025\u2026\uFF0E\u3002]+$/.test(text)) throw refused(name, 'it names another folder');
    // oxlint-disable-next-line no-control-regex -- those are what is looked for
    if (/[\\/\u0000-\u001F\u007F]/.test(text))
      throw refused(name, 'it has a slash, a backslash or a control character');
  }
  return encodeURIComponent(value).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Some servers decode twice. */
function decodeOnce(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function refused(name: string, why: string): OutboundError {
  return new OutboundError('blocked', `The value of "${name}" cannot be part of the path: ${why}.`);
}

/** Every segment of a path: its text, or undefined where a value stands in it. */
function shapeOf(parts: readonly Part[]): readonly (string | undefined)[] {
  const marked = parts.map((part) => ('text' in part ? part.text : '\0')).join('');
  return normalize(marked.replaceAll('\0', '%00')).map((segment) =>
    segment.includes('%00') ? undefined : segment,
  );
}

/** What the URL really says must be what the template says, segment for segment. */
function assertShape(path: string, shape: readonly (string | undefined)[]): void {
  const segments = normalize(path);
  const fits =
    segments.length === shape.length &&
    shape.every((segment, index) => segment === undefined || segment === segments[index]);
  if (!fits)
    throw new OutboundError('blocked', 'The values would lead to another path than the one that is meant.');
}

/** Behind a host: by itself, a path that begins with two slashes would be read as a host. */
function normalize(path: string): string[] {
  return new URL(`http://host${path.startsWith('/') ? path : `/${path}`}`).pathname.split('/');
}
