import { isObject } from '../base/is-object.ts';
import {
  assertValues,
  BOOLEAN,
  CLOCK,
  FUNCTION,
  isString,
  objectWith,
  oneOf,
  STRING,
  STRINGS,
  wholeNumber,
} from '../errors/options/rules.ts';
import type { Rule, Rules } from '../errors/options/rules.ts';
import { assertOverride } from './assert-override.ts';
import type { OpenApiOptions } from './import-options.ts';
import { assertRouteMaps } from './selection/route-maps.ts';

const COUNT = wholeNumber(1);
const STRING_BY_NAME: Rule = [
  (value) => isObject(value) && Object.values(value as object).every(isString),
  'an object of strings',
];

/** Types of the options that are not checked where they are used. */
const RULES: Partial<Rules<keyof OpenApiOptions>> = {
  registry: objectWith('register'),
  resources: objectWith('addResource'),
  maxNameLength: wholeNumber(1, 128),
  outbound: [isObject, 'an OutboundClient, or an object of its options'],
  documentHeaders: STRING_BY_NAME,
  cwd: STRING,
  jsonSchemaCompiler: objectWith('findProblem', 'compile'),
  clock: CLOCK,
  baseUrl: STRING,
  namespace: STRING,
  serverVariables: STRING_BY_NAME,
  abbreviate: oneOf('off', 'long', 'always'),
  argumentNames: oneOf('safe', 'exact'),
  mode: oneOf('all', 'explicit', 'dynamic'),
  groupBy: oneOf('none', 'tag'),
  maxDescription: COUNT,
  maxArgumentDescription: COUNT,
  maxSchemaChars: COUNT,
  maxResponseChars: COUNT,
  maxBinaryBytes: COUNT,
  stripHtml: BOOLEAN,
  allowSlashes: BOOLEAN,
  redirects: BOOLEAN,
  validate: oneOf('strict', 'lenient'),
  outputSchemas: BOOLEAN,
  includeDeprecated: BOOLEAN,
  routeMaps: [Array.isArray, 'an array'],
  overrides: [isObject, 'an object'],
  preferredBodies: STRINGS,
  override: FUNCTION,
  filter: FUNCTION,
  onDrift: FUNCTION,
  describeFinding: FUNCTION,
  readFile: FUNCTION,
};

/** Rejects options of the wrong type before anything is loaded. Types do the same; this is for JavaScript. */
export function assertOptionTypes(options: OpenApiOptions): void {
  assertValues('fromOpenAPI', options, RULES);
  const { routeMaps = [], overrides = {} } = options;
  assertRouteMaps(routeMaps);
  for (const [index, { override }] of routeMaps.entries())
    if (override !== undefined) assertOverride(override, 'routeMaps', index, 'override');
  for (const [key, override] of Object.entries(overrides)) assertOverride(override, 'overrides', key);
}
