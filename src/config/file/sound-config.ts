import { isPlain } from './is-code.ts';
import type { Config, OpenApiEntry } from './config-types.ts';
import type { Mistake } from './small-schema.ts';

const LISTS = ['openapi', 'tools', 'extraTools', 'prompts', 'resources'] as const;
type List = Exclude<(typeof LISTS)[number], 'openapi'>;

/** An element of an array of a configuration. */
export type EntryOf<TList extends List> = NonNullable<Config[TList]>[number];

/** The valid part of a configuration. Invalid array elements are undefined, so that the others keep their indexes. */
export type SoundConfig = Partial<Omit<Config, List | 'openapi'>> & {
  readonly openapi?: OpenApiEntry | readonly (OpenApiEntry | undefined)[];
} & {
  readonly [TList in List]?: readonly (EntryOf<TList> | undefined)[];
};

/** Removes members with mistakes, so that the rest can be validated further. */
export function soundPartOf(value: unknown, mistakes: readonly Mistake[]): SoundConfig {
  if (!isPlain(value)) return {};
  const wrong = new Set(mistakes.flatMap(({ path }) => [toKey(path.slice(0, 1)), toKey(path.slice(0, 2))]));
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if ((LISTS as readonly string[]).includes(name) && Array.isArray(member)) {
      const isRight = (index: number): boolean => !wrong.has(toKey([name, index]));
      return [[name, member.map((entry: unknown, index) => (isRight(index) ? entry : undefined))]];
    }
    return wrong.has(toKey([name])) ? [] : [[name, member]];
  });
  return Object.fromEntries(members);
}

function toKey(path: Mistake['path']): string {
  return JSON.stringify(path);
}
