import { withoutMark } from './exact-json.ts';
import { isObject } from '../../../base/is-object.ts';

/** Redacts secrets in the strings, keys and numbers of a JSON value. Its depth was checked when it was parsed. */
export function hideInValue(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string' || typeof value === 'number') return hideScalar(value, hide);
  if (Array.isArray(value)) return value.map((element) => hideInValue(element, hide));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [hide(key), hideInValue(member, hide)]),
  );
}

function hideScalar(value: string | number, hide: (text: string) => string): string | number {
  const text = withoutMark(String(value));
  const hidden = hide(text);
  return hidden === text ? value : hidden;
}
