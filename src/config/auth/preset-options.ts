import { issuerPreset } from '../../auth/issuer-presets.ts';
import type { IssuerPresetName, IssuerPresetParams } from '../../auth/issuer-presets.ts';
import type { JwtConfig, PresetConfig } from '../file/auth-config.ts';
import { JWT_CHANGES } from '../schema/token-schema.ts';

/** The options of `jwt` that a preset of a configuration stands for. Required values are added: those of the preset keep ID tokens out. */
export function toJwtConfig({ name, ...members }: PresetConfig): JwtConfig {
  const entries = Object.entries(members);
  const isChange = ([member]: readonly [string, unknown]): boolean => Object.hasOwn(JWT_CHANGES, member);
  const parameters = Object.fromEntries(entries.filter((entry) => !isChange(entry)));
  const options = issuerPreset(name, parameters as unknown as IssuerPresetParams[IssuerPresetName]);
  const changed = { ...options, ...Object.fromEntries(entries.filter(isChange)) };
  const { requiredValues } = changed;
  return requiredValues === undefined
    ? changed
    : { ...changed, requiredValues: { ...options.requiredValues, ...requiredValues } };
}
