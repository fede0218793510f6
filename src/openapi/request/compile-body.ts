import { DefinitionError, ToolError } from '../../errors/errors.ts';
import { findHeaderMistake } from '../../outbound/request-headers.ts';
import { readArgument } from './values/argument-values.ts';
import type { Arguments } from './values/argument-values.ts';
import { fieldsOf, withFilesAsText } from './body-fields.ts';
import { compileChoice } from './choose-content.ts';
import { writeForm } from './form-body.ts';
import { readMediaType } from './values/media-type.ts';
import type { MediaType } from './values/media-type.ts';
import { writeMultipart } from './multipart-body.ts';
import { readFileArgument } from './read-file-argument.ts';
import type { ReadUri } from './read-file-argument.ts';
import type { PlannedBody, PlannedContent } from './request-plan.ts';
import { writeText } from './values/text-body.ts';

/** A body and its content type. */
export interface BuiltBody {
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

/** Builds the body of a request; undefined if there is none. */
export type BuildBody = (input: Arguments, readUri: ReadUri) => Promise<BuiltBody | undefined>;

/** Compiles the body of a plan. */
export function compileBody(body: PlannedBody, key: string): BuildBody {
  const medias = new Map(body.contents.map((content) => [content, readMediaType(content.content.mediaType)]));
  for (const [content, media] of medias) assertContent(content, media, key);
  const choose = compileChoice(body, key);
  return async (input, readUri) => {
    const content = choose(input);
    const media = content && medias.get(content);
    return media && writeBody({ content, media, input }, readUri);
  };
}

/** Rejects contents that would produce an invalid request. */
function assertContent({ content, source, isFile }: PlannedContent, media: MediaType, key: string): void {
  if (media.sent === '' || findHeaderMistake('content-type', media.sent) !== undefined)
    throw new DefinitionError(
      `Invalid media type ${JSON.stringify(content.mediaType)} in the body of ${key}.`,
    );
  if (isFile && source.kind === 'whole' && media.kind === 'multipart')
    throw new DefinitionError(
      `The body of ${key} is ${media.sent}, which has parts, and cannot be one file.`,
    );
  for (const [property, { contentType, headers }] of Object.entries(content.encoding)) {
    const all = Object.entries({ ...headers, 'content-type': contentType ?? '' });
    const unsendable = all.find(([name, value]) => findHeaderMistake(name, value) !== undefined);
    if (unsendable !== undefined)
      throw new DefinitionError(
        `The encoding of "${property}" in the body of ${key} has the header "${unsendable[0]}", which cannot be sent. Remove it from the document.`,
      );
  }
}

interface Chosen {
  readonly content: PlannedContent;
  readonly media: MediaType;
  readonly input: Arguments;
}

async function writeBody({ content, media, input }: Chosen, readUri: ReadUri): Promise<BuiltBody> {
  const { source, isFile } = content;
  const whole = source.kind === 'whole' ? source.argument : undefined;
  if (whole !== undefined && isFile) {
    const { bytes, mimeType } = await readFileArgument(whole, readArgument(input, whole), readUri);
    const ofRange = mimeType ?? 'application/octet-stream';
    return { contentType: media.isRange ? ofRange : media.sent, body: bytes };
  }
  if (media.kind === 'multipart') {
    const { boundary, body } = await writeMultipart(fieldsOf(content, input), readUri);
    return { contentType: withBoundary(media.sent, boundary), body };
  }
  if (whole !== undefined) {
    const value = readArgument(input, whole);
    const isWritten = media.kind !== 'form' || typeof value === 'string';
    const body = isWritten ? writeText(whole, value, media) : writeForm(fieldsOf(content, input));
    return { contentType: media.sent, body };
  }
  const fields = await withFilesAsText(fieldsOf(content, input), readUri);
  if (media.kind === 'form') return { contentType: media.sent, body: writeForm(fields) };
  if (media.kind === 'xml')
    throw new ToolError(`The body is ${media.sent}, which cannot be built from single arguments.`);
  const object = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  return { contentType: media.sent, body: writeText(fields[0]?.argument ?? 'body', object, media) };
}

/** A boundary in a document belongs to an example. */
function withBoundary(mediaType: string, boundary: string): string {
  const [type = '', ...parameters] = mediaType.split(';');
  const kept = parameters.filter((parameter) => !/^\s*boundary\s*=/i.test(parameter));
  return [type, ...kept, ` boundary=${boundary}`].join(';');
}
