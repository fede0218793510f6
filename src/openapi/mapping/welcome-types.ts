import type { Operation } from '../model/operation.ts';
import { plainType } from './media-kinds.ts';

/** Maximum number of media types in the header. */
const MAX_TYPES = 8;

/** The `accept` header of an operation: the media types of its responses, JSON first, then any other. */
export function welcomeTypes({ responses }: Operation): string {
  const answers = responses.filter(({ status }) => /^2|^default$/i.test(status));
  const types = new Set(
    answers.flatMap(({ contents }) => contents.map(({ mediaType }) => plainType(mediaType))),
  );
  const plain = [...types].filter((type) => /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type));
  const isJson = (type: string): boolean => /[/+]json$/.test(type);
  const sorted = [...plain.filter(isJson), ...plain.filter((type) => !isJson(type))].slice(0, MAX_TYPES);
  return sorted.length === 0 ? 'application/json, */*;q=0.5' : `${sorted.join(', ')}, */*;q=0.5`;
}
