import { headerOf } from './recording-server.ts';
import type { RecordedRequest } from './recording-server.ts';

/** A raw part of a multipart body. */
export interface RawPart {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The parts of a body, split at the boundary by hand, so that every byte can be checked. */
export function readRawParts(request: RecordedRequest): readonly RawPart[] {
  const [, boundary] = /boundary=([^;]+)$/.exec(headerOf(request, 'content-type') ?? '') ?? [];
  if (boundary === undefined) throw new Error('there is no boundary');
  const text = request.body.toString('latin1');
  if (!text.endsWith(`\r\n--${boundary}--\r\n`)) throw new Error('the last boundary is missing');
  const [before, ...pieces] = `\r\n${text}`.split(`\r\n--${boundary}`);
  if (before !== '') throw new Error('something stands before the first boundary');
  return pieces.slice(0, -1).map((piece) => {
    const end = piece.indexOf('\r\n\r\n');
    const lines = piece.slice(2, end).split('\r\n');
    const headers = lines.map((line): [string, string] => {
      const colon = line.indexOf(': ');
      const value = Buffer.from(line.slice(colon + 2), 'latin1').toString('utf8');
      return [line.slice(0, colon).toLowerCase(), value];
    });
    return { headers: Object.fromEntries(headers), body: Buffer.from(piece.slice(end + 4), 'latin1') };
  });
}

/** One field of a form. */
export type FormField = readonly [
  name: string,
  value: string | { name: string; type: string; base64: string },
];

/** The fields of a multipart body, as parsed by `fetch` of this Node. */
export async function readFormFields(request: RecordedRequest): Promise<FormField[]> {
  const response = new Response(new Uint8Array(request.body), {
    headers: { 'content-type': headerOf(request, 'content-type') ?? '' },
  });
  const fields: FormField[] = [];
  for (const [name, value] of await response.formData()) {
    if (typeof value === 'string') fields.push([name, value]);
    else {
      const base64 = Buffer.from(await value.arrayBuffer()).toString('base64');
      fields.push([name, { name: value.name, type: value.type, base64 }]);
    }
  }
  return fields;
}
