import type { OperationOverride } from '../../openapi/selection/operation-override.ts';
import { readOrigin } from '../../outbound/read-origin.ts';
import { findHeaderMistake } from '../../outbound/request-headers.ts';
import type { OpenApiEntry } from '../file/config-types.ts';
import type { EnvUses } from '../file/env-uses.ts';
import type { Mistake } from '../file/small-schema.ts';

type Path = Mistake['path'];

/** Finds mistakes in the options of a document that do not depend on its content. */
export function findSettingMistakes(entry: OpenApiEntry, uses: EnvUses): Mistake[] {
  return [
    ...findAddressMistakes(entry),
    ...findHeaderMistakes(['headers'], entry.headers),
    ...findHeaderMistakes(['documentHeaders'], entry.documentHeaders),
    ...findOriginMistakes(['origins'], entry.origins),
    ...findOriginMistakes(['references', 'origins'], entry.references?.origins),
    ...findShownDefaults(entry, uses),
  ];
}

function findAddressMistakes({ baseUrl }: OpenApiEntry): Mistake[] {
  if (baseUrl === undefined) return [];
  const path = ['baseUrl'];
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl) || /[{}]/.test(baseUrl))
    return [{ path, message: 'must be a URL such as https://api.example.com/v1' }];
  const { username, password } = new URL(baseUrl);
  if (username === '' && password === '') return [];
  return [{ path, message: 'must not contain a user name or a password. Use credentials' }];
}

function findHeaderMistakes(path: Path, headers: Readonly<Record<string, string>> = {}): Mistake[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const mistake = findHeaderMistake(name, value);
    return mistake === undefined ? [] : [{ path: [...path, name], message: `is invalid: ${mistake}` }];
  });
}

function findOriginMistakes(path: Path, origins: readonly string[] = []): Mistake[] {
  const message = 'must be an origin such as https://api.example.com, without a path';
  return [...origins.entries()]
    .filter(([, origin]) => readOrigin(origin) === undefined)
    .map(([index]) => ({ path: [...path, index], message }));
}

/** All overrides of an entry, with their paths. */
export function overridesOf({ overrides = {}, routeMaps = [] }: OpenApiEntry): [Path, OperationOverride][] {
  return [
    ...Object.entries(overrides).map(([key, override]): [Path, OperationOverride] => [
      ['overrides', key],
      override,
    ]),
    ...routeMaps.map(({ override = {} }, index): [Path, OperationOverride] => [
      ['routeMaps', index, 'override'],
      override,
    ]),
  ];
}

/** Finds advertised defaults that come from the environment, whose values must not be shown. */
function findShownDefaults(entry: OpenApiEntry, uses: EnvUses): Mistake[] {
  return overridesOf(entry).flatMap(([path, { arguments: args = {} }]) =>
    Object.entries(args)
      .filter(([, { hidden, fixed }]) => hidden !== true && fixed === undefined)
      .map(([name]) => [...path, 'arguments', name, 'default'])
      .filter((at) => uses.has(at))
      .map((at) => ({
        path: at,
        message:
          'is advertised to clients, so it must not come from the environment. Use "fixed", or add "hidden: true"',
      })),
  );
}
