import { ApiError, badRequest } from './api-error.ts';

/** Largest request body in bytes. */
export const MAX_BODY_BYTES = 5 * 1024 * 1024;

/** The JSON value of a request body; undefined if the body is empty. */
export async function readBody(request: Request): Promise<unknown> {
  const text = await readText(request);
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest('The request body is not valid JSON');
  }
}

async function readText(request: Request): Promise<string> {
  if (request.body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  // The elements of a body stream are byte arrays.
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES)
      throw new ApiError('payload_too_large', `The request body is larger than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw badRequest('The request body is not valid UTF-8');
  }
}
