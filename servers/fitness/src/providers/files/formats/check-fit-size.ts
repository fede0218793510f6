import { MAX_POINTS, UnreadableFileError } from './recording.ts';

/** Messages of a FIT file: its samples, and twice as many laps, events, pulses and readings of the device. */
export const MAX_MESSAGES = 3 * MAX_POINTS;

/** Bits of the first byte of a message. */
const [COMPRESSED, DEFINITION, DEVELOPER] = [0x80, 0x40, 0x20];

/**
 * Throws if a FIT file has too many messages. A message can be a single byte, and the parser keeps each as an object. Mistakes in the file are left to
 * the parser.
 */
export function checkFitSize(content: Buffer): void {
  if (content.length < 12) return;
  const last = Math.min(content.length, (content[0] ?? 0) + content.readUInt32LE(4));
  /** Bytes of the messages of each local type. */
  const sizes = new Map<number, number>();
  let count = 0;
  for (let at = content[0] ?? 0; at < last; count += 1) {
    if (count === MAX_MESSAGES) throw new UnreadableFileError(`it has more than ${MAX_MESSAGES} messages`);
    const first = content[at] ?? 0;
    if ((first & COMPRESSED) === 0 && (first & DEFINITION) !== 0) {
      const fields = readFields(content, at + 5);
      const own = (first & DEVELOPER) === 0 ? undefined : readFields(content, fields.end);
      sizes.set(first & 0x0f, fields.bytes + (own?.bytes ?? 0));
      at = own?.end ?? fields.end;
      continue;
    }
    const size = sizes.get((first & COMPRESSED) === 0 ? first & 0x0f : (first >> 5) & 0x03);
    if (size === undefined) return;
    at += 1 + size;
  }
}

/** The number of fields, then three bytes for each, of which the second is its size. */
function readFields(content: Buffer, at: number): { readonly bytes: number; readonly end: number } {
  const fields = content[at] ?? 0;
  let bytes = 0;
  for (let field = 0; field < fields; field += 1) bytes += content[at + 2 + 3 * field] ?? 0;
  return { bytes, end: at + 1 + 3 * fields };
}
