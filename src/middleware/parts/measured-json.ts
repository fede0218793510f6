import { byteLength, ELLIPSIS_BYTES } from './byte-length.ts';

/** Sizes of a part in bytes of JSON. */
interface Sizes {
  readonly bytes: number;
  /** Minimum size with empty arrays. */
  readonly least: number;
  /** Minimum size with empty arrays and cut strings. */
  readonly leastCut: number;
}

/** A JSON value with the sizes of all its parts, so that the effect of a cut is known in advance. */
export type Measured = Sizes &
  (
    | { readonly kind: 'scalar'; readonly value: unknown }
    | { readonly kind: 'text'; readonly value: string }
    | { readonly kind: 'list'; readonly elements: readonly Measured[] }
    | MeasuredObject
  );

/** An object; `frame` is the size of its brackets, commas and keys. */
export interface MeasuredObject {
  readonly kind: 'object';
  readonly frame: number;
  readonly members: readonly { readonly key: string; readonly member: Measured }[];
}

/** An empty array, or the quotes around an ellipsis. */
const EMPTY_BYTES = 2;
const CUT_TEXT_BYTES = 2 + ELLIPSIS_BYTES;

/** Measures a parsed JSON value. */
export function measure(value: unknown): Measured {
  if (typeof value === 'string') {
    const bytes = byteLength(JSON.stringify(value));
    return { kind: 'text', value, bytes, least: bytes, leastCut: Math.min(bytes, CUT_TEXT_BYTES) };
  }
  if (typeof value !== 'object' || value === null) {
    const bytes = JSON.stringify(value).length;
    return { kind: 'scalar', value, bytes, least: bytes, leastCut: bytes };
  }
  if (Array.isArray(value)) {
    const elements = value.map(measure);
    const bytes = 2 + Math.max(0, elements.length - 1) + sum(elements, 'bytes');
    return { kind: 'list', elements, bytes, least: EMPTY_BYTES, leastCut: EMPTY_BYTES };
  }
  const members = Object.entries(value).map(([key, member]) => ({ key, member: measure(member) }));
  const parts = members.map(({ member }) => member);
  let frame = 2 + Math.max(0, members.length - 1);
  for (const { key } of members) frame += byteLength(JSON.stringify(key)) + 1;
  return {
    kind: 'object',
    frame,
    members,
    bytes: frame + sum(parts, 'bytes'),
    least: frame + sum(parts, 'least'),
    leastCut: frame + sum(parts, 'leastCut'),
  };
}

function sum(parts: readonly Measured[], size: keyof Sizes): number {
  return parts.reduce((total, part) => total + part[size], 0);
}
