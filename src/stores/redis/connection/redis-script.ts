import { createHash } from 'node:crypto';

/** A Lua script. It runs atomically; its keys share a hash tag, so that it also runs on a cluster. */
export interface RedisScript {
  readonly lua: string;
  readonly sha: string;
}

export function defineScript(lua: string): RedisScript {
  const text = lua.trim();
  return { lua: text, sha: createHash('sha1').update(text).digest('hex') };
}
