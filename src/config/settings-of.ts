import type { ToolSettingsOptions } from '../tools/compile/settings-options.ts';
import type { ConfiguredStores } from './create-stores.ts';
import type { SoundConfig } from './file/sound-config.ts';

/** The settings of tools, prompts and resources that a configuration has. */
export function settingsOf(
  name: string,
  config: SoundConfig,
  stores: ConfiguredStores['settings'],
): ToolSettingsOptions {
  const { limits = {}, rateLimit, errors, policy, missingScopes } = config;
  const { timeoutMs, maxResultBytes } = limits;
  return {
    name,
    ...stores,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxResultBytes === undefined ? {} : { maxResultBytes }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
    ...(errors === undefined ? {} : { errors }),
    ...(policy === undefined ? {} : { policy }),
    ...(missingScopes === undefined ? {} : { missingScopes }),
  };
}

/** The description of a server that a configuration has. */
export function descriptionOf(
  config: SoundConfig,
): Pick<SoundConfig, 'description' | 'instructions' | 'title' | 'websiteUrl'> {
  const { title, description, websiteUrl, instructions } = config;
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(websiteUrl === undefined ? {} : { websiteUrl }),
    ...(instructions === undefined ? {} : { instructions }),
  };
}
