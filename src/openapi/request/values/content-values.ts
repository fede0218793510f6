import { toJson, toText } from './argument-values.ts';
import { readMediaType } from './media-type.ts';

/** A value as a document of a media type inside of a parameter: JSON, or text. */
export function writeContent(contentType: string, value: unknown): string {
  return readMediaType(contentType).kind === 'json' ? toJson(value) : toText(value);
}
