import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createApiKey, MemoryApiKeyStore } from 'toolwright/auth';
import * as z from 'zod';

/** A user of the server over HTTP. The file has no usable key of this server, but the user's token of YNAB: protect it. */
const USERS = z.array(
  z.object({
    id: z.string().min(1),
    key: z.object({
      prefix: z.string(),
      hash: z.string(),
      principal: z.object({ id: z.string() }),
      expiresAt: z.number().optional(),
    }),
    ynab_token: z.string().min(1),
  }),
);

type Users = z.infer<typeof USERS>;

/** The users of a server: their keys, and the token of YNAB for each. */
export interface UserDirectory {
  readonly keys: MemoryApiKeyStore;
  readonly tokenOf: (userId: string) => string | undefined;
}

/** Reads the users of a file. Throws an error that names the file and the wrong member. */
export function readUsers(file: string): UserDirectory {
  const users = load(file);
  const keys = new MemoryApiKeyStore();
  for (const { key } of users) keys.add(key);
  const tokens = new Map(users.map(({ id, ynab_token: token }) => [id, token]));
  return { keys, tokenOf: (userId) => tokens.get(userId) };
}

/** Adds a user, and returns the key, which is not stored. */
export function addUser(file: string, { id, ynabToken }: { id: string; ynabToken: string }): string {
  const users = existsSync(file) ? load(file) : [];
  if (users.some((user) => user.id === id)) throw new Error(`${file}: the user "${id}" already exists.`);
  const { key, record } = createApiKey({ id }, { name: 'budget' });
  const text = `${JSON.stringify([...users, { id, key: record, ynab_token: ynabToken }], undefined, 2)}\n`;
  mkdirSync(dirname(file), { recursive: true });
  // Written beside it and renamed: a crash leaves the old file.
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  return key;
}

function load(file: string): Users {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(
      `Cannot read the users of ${file}: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
  const parsed = USERS.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(
    `${file}: ${issue?.path.join('.') || 'the file'}: ${issue?.message ?? 'invalid'}. Expected [{ "id", "key", "ynab_token" }].`,
  );
}
