import { dirname } from 'node:path';
import type { AuthOptions } from '../../auth/protected-resource.ts';
import { DefinitionError } from '../../errors/errors.ts';
import type { ToolwrightServer } from '../../server/create-server.ts';
import type { Config } from '../file/config-types.ts';
import { isCode } from '../file/is-code.ts';
import { createClient } from '../http/create-client.ts';
import { createAuth } from './create-auth.ts';

/** The members of a configuration that authentication is made of, as data that one process can send to another. */
export interface AuthSource {
  readonly file: string;
  /** Undefined for functions of a file of code, which cannot be sent. */
  readonly auth: Config['auth'];
  readonly outbound: Config['outbound'];
}

/** Not members of what `loadConfig` returns: they have secrets. */
const sources = new WeakMap<ToolwrightServer, AuthSource>();

export function keepAuthSource(server: ToolwrightServer, { file, auth, outbound }: AuthSource): void {
  if (auth !== undefined) sources.set(server, { file, auth: isCode(auth) ? undefined : auth, outbound });
}

/** The source of the authentication of a server; undefined if it has none, or was not made of a configuration. */
export function authSourceOf(server: ToolwrightServer): AuthSource | undefined {
  return sources.get(server);
}

/** Creates authentication in another process than the one that has loaded the configuration. */
export async function loadAuth({ file, auth, outbound = {} }: AuthSource): Promise<AuthOptions | undefined> {
  if (auth === undefined)
    throw new DefinitionError(
      `${file}: auth has functions, which "toolwright dev" cannot run. Use data (auth: { jwt: { … } }), or "toolwright serve".`,
      { option: 'auth' },
    );
  const files = { folder: dirname(file), onFile: () => {} };
  const { client } = await createClient(outbound, files);
  return (await createAuth(auth, { ...files, client })).auth;
}
