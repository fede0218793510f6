/** An entry of a Redis stream: its id and its fields. */
export interface StreamEntry {
  readonly id: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** The entries of a reply to XRANGE. */
export function toEntries(reply: unknown): readonly StreamEntry[] {
  if (!Array.isArray(reply)) throw new TypeError('Redis sent no list of entries.');
  return reply.flatMap((entry: unknown) => toEntry(entry) ?? []);
}

/** The entries of a reply to XREAD of one stream. */
export function toReadEntries(reply: unknown): readonly StreamEntry[] {
  if (reply === null) return [];
  const [stream] = reply as readonly unknown[];
  return toEntries((stream as readonly unknown[])[1]);
}

function toEntry(entry: unknown): StreamEntry | undefined {
  const [id, list] = entry as readonly [string, readonly string[]];
  // A deleted entry has no fields.
  if (!Array.isArray(list)) return undefined;
  const fields = new Map<string, string>();
  for (let index = 0; index + 1 < list.length; index += 2)
    fields.set(String(list[index]), String(list[index + 1]));
  return { id: String(id), fields };
}

/** Whether an id of a stream is greater than another: `<milliseconds>-<number>`. */
export function isAfter(id: string, other: string): boolean {
  const [[ms = 0n, number = 0n], [otherMs = 0n, otherNumber = 0n]] = [id, other].map((each) =>
    each.split('-').map(BigInt),
  ) as [bigint[], bigint[]];
  return ms === otherMs ? number > otherNumber : ms > otherMs;
}
