import { toJson, toText } from './argument-values.ts';
import { readMediaType } from './media-type.ts';

/** Serializes a parameter value as a media type: JSON, or text. */
export function writeContent(contentType: string, value: unknown): string {
  return readMediaType(contentType).kind === 'json' ? toJson(value) : toText(value);
}
