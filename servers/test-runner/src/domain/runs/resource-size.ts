/** Most bytes of a text in a resource. A result of the server has at most 4 MiB, with the text as a JSON string and some members around it. */
export const RESOURCE_BYTES = 4_100_000;

/** Bytes of a value as JSON in a JSON string, with a comma. */
export function toResourceBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value))) - 1;
}
