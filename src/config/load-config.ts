import { basename, resolve } from 'node:path';
import type { AuthOptions } from '../auth/protected-resource.ts';
import type { Principal } from '../middleware/context.ts';
import type { OpenApiReport } from '../openapi/model/import-report.ts';
import type { ToolwrightServer } from '../server/create-server.ts';
import type { SessionOptions } from '../transport/http/message/http-options.ts';
import { keepAuthSource } from './auth/auth-source.ts';
import { buildServer } from './build-server.ts';
import { ConfigError } from './file/config-error.ts';
import type { ConfigMistake } from './file/config-error.ts';
import { CONFIG_RULES } from './schema/config-schema.ts';
import type { TransportConfig } from './file/config-types.ts';
import { substituteEnv, unwrapEnv } from './file/env-text.ts';
import type { Env } from './file/env-text.ts';
import { EnvUses } from './file/env-uses.ts';
import { readConfigFile } from './file/read-config-file.ts';
import { checkSmall } from './file/small-schema.ts';
import { soundPartOf } from './file/sound-config.ts';

/** Options of {@link loadConfig}. */
export interface LoadConfigOptions {
  /** Environment variables for `${env:NAME}`. Default: `process.env`. */
  readonly env?: Env;
  /**
   * Called with the path of each file that is read, even if reading fails; use it to watch files. Not called for modules, nor for files of
   * resources, which are read at each request.
   */
  readonly onFile?: (file: string) => void;
}

/** A server built from a configuration. */
export interface ConfiguredServer extends AsyncDisposable {
  /** The absolute path of the configuration. */
  readonly file: string;
  readonly server: ToolwrightServer;
  readonly transport: TransportConfig;
  /** Authentication over HTTP, for `serveHttp`. */
  readonly auth: AuthOptions | undefined;
  /** Sessions that all processes share, for `serveHttp`. Only with `stores.redis`. */
  readonly sessions: SessionOptions | undefined;
  /** The caller over standard input and output, for `serveStdio`. */
  readonly principal: Principal | undefined;
  /** Import report of each OpenAPI document. */
  readonly openapi: readonly OpenApiReport[];
  /** Closes the server and its outbound connections. */
  close(): Promise<void>;
}

/**
 * Builds a server from a configuration file. Throws a {@link ConfigError} with all mistakes if the configuration is invalid.
 *
 * @example
 * const { server, transport } = await loadConfig('toolwright.config.yaml');
 */
export async function loadConfig(file: string, options: LoadConfigOptions = {}): Promise<ConfiguredServer> {
  const { onFile = () => {} } = options;
  onFile(resolve(file));
  const read = await readConfigFile(file);
  const { value, missing, uses } = substituteEnv(read.value, options.env ?? process.env);
  const checked = checkSmall(CONFIG_RULES, value);
  const found = [...missing, ...checked.mistakes];
  const config = soundPartOf(unwrapEnv(checked.value), found);
  // Runs even after mistakes, to report those of the valid entries too.
  const { server, auth, sessions, reports, mistakes, close } = await buildServer(config, {
    file: read.file,
    uses: new EnvUses(uses),
    onFile,
  });
  if (found.length + mistakes.length > 0) {
    await close();
    throw new ConfigError(basename(read.file), sorted([...found, ...mistakes].map(read.locate)));
  }
  keepAuthSource(server, { file: read.file, auth: config.auth, outbound: config.outbound });
  return {
    file: read.file,
    server,
    transport: config.transport ?? { type: 'stdio' },
    auth,
    sessions,
    principal: config.principal,
    openapi: reports,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function sorted(mistakes: readonly ConfigMistake[]): ConfigMistake[] {
  return mistakes.toSorted(
    (one, other) => (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0),
  );
}
