import type { ToolSettingsOptions } from '../tools/compile/settings-options.ts';
import type { SoundConfig } from './file/sound-config.ts';

/** The settings of tools, prompts and resources that a configuration has. */
export function settingsOf(name: string, config: SoundConfig): ToolSettingsOptions {
  const { limits = {}, rateLimit, errors, policy, missingScopes } = config;
  const { timeoutMs, maxResultBytes } = limits;
  return {
    name,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxResultBytes === undefined ? {} : { maxResultBytes }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(errors === undefined ? {} : { errors }),
    ...(policy === undefined ? {} : { policy }),
    ...(missingScopes === undefined ? {} : { missingScopes }),
  };
}
