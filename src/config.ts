/** `toolwright/config`: servers from configuration files. */
export { loadConfig } from './config/load-config.ts';
export type { ConfiguredServer, LoadConfigOptions } from './config/load-config.ts';
export { defineConfig } from './config/file/config-types.ts';
export type {
  Config,
  ConfigShared,
  DirectoryEntry,
  HttpToolArgument,
  HttpToolEntry,
  HttpToolRequest,
  ModuleEntry,
  OpenApiEntry,
  PromptEntryConfig,
  ResourceEntryConfig,
  TlsFiles,
  TransportConfig,
} from './config/file/config-types.ts';
export type {
  ApiKeyConfig,
  ApiKeysConfig,
  AuthConfig,
  PrincipalConfig,
  VerifierConfig,
} from './config/file/auth-config.ts';
export { ConfigError } from './config/file/config-error.ts';
export type { ConfigMistake } from './config/file/config-error.ts';
export { CONFIG_SCHEMA } from './config/schema/config-schema.ts';
export { CONFIG_NAMES, findConfigFile } from './config/file/read-config-file.ts';
export type { SmallSchema } from './config/file/small-schema.ts';
