import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createApiKey, MemoryApiKeyStore } from 'toolwright/auth';
import * as z from 'zod';

/** The callers of a server over HTTP. The file has no usable key. */
const KEYS = z.array(
  z.object({
    prefix: z.string(),
    hash: z.string(),
    principal: z.object({ id: z.string() }),
    expiresAt: z.number().optional(),
  }),
);

/** Reads the keys of a file. Throws an error that names the file and the wrong member. */
export function readKeys(file: string): MemoryApiKeyStore {
  const keys = new MemoryApiKeyStore();
  for (const record of load(file)) keys.add(record);
  return keys;
}

/** Adds a caller, and returns the key, which is not stored. */
export function addKey(file: string, id: string): string {
  const records = existsSync(file) ? load(file) : [];
  if (records.some(({ principal }) => principal.id === id))
    throw new Error(`${file}: the caller "${id}" already exists.`);
  const { key, record } = createApiKey({ id }, { name: 'tests' });
  // Written beside it and renamed: a crash leaves the old file.
  writeFileSync(`${file}.new`, `${JSON.stringify([...records, record], undefined, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return key;
}

function load(file: string): z.infer<typeof KEYS> {
  const parsed = KEYS.safeParse(parse(file));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'the file';
  throw new Error(`${file}: ${place}: ${issue?.message ?? 'invalid'}. Create keys with --add-key.`);
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot read the keys of ${file}: ${reason}`, { cause: error });
  }
}
