import { DefinitionError } from '../errors/errors.ts';
import { isNode } from '../schema/nodes/json-node.ts';
import { assertOverride } from './assert-override.ts';
import type { OpenApiOptions } from './import-options.ts';
import { assertRouteMaps } from './selection/route-maps.ts';

type Check = readonly [test: (value: unknown) => boolean, expected: string];

const isText = (value: unknown): boolean => typeof value === 'string';
const TEXT: Check = [isText, 'a text'];
const FLAG: Check = [(value) => typeof value === 'boolean', 'true or false'];
const COUNT: Check = [
  (value) => Number.isSafeInteger(value) && (value as number) > 0,
  'a whole number from 1 on',
];
const FUNCTION: Check = [(value) => typeof value === 'function', 'a function'];
const TEXTS: Check = [(value) => Array.isArray(value) && value.every(isText), 'a list of texts'];
const LIST: Check = [(value) => Array.isArray(value), 'a list'];
const OBJECT: Check = [isNode, 'an object'];
const TEXT_BY_NAME: Check = [
  (value) => isNode(value) && Object.values(value).every(isText),
  'an object of texts',
];

function oneOf(...choices: readonly string[]): Check {
  return [
    (value) => choices.includes(value as string),
    `one of ${choices.map((choice) => `'${choice}'`).join(', ')}`,
  ];
}

/** What options must be that are not checked where they are used. */
const CHECKS: Readonly<Partial<Record<keyof OpenApiOptions, Check>>> = {
  baseUrl: TEXT,
  namespace: TEXT,
  serverVariables: TEXT_BY_NAME,
  abbreviate: oneOf('off', 'long', 'always'),
  argumentNames: oneOf('safe', 'exact'),
  mode: oneOf('all', 'explicit', 'dynamic'),
  groupBy: oneOf('none', 'tag'),
  maxDescription: COUNT,
  maxArgumentDescription: COUNT,
  maxSchemaChars: COUNT,
  maxResponseChars: COUNT,
  maxBinaryBytes: COUNT,
  stripHtml: FLAG,
  outputSchemas: FLAG,
  includeDeprecated: FLAG,
  routeMaps: LIST,
  overrides: OBJECT,
  preferredBodies: TEXTS,
  override: FUNCTION,
  filter: FUNCTION,
  onDrift: FUNCTION,
  readFile: FUNCTION,
};

/** Refuses options of the wrong kind before anything is read. Types say the same; this is for JavaScript. */
export function assertOptionTypes(options: OpenApiOptions): void {
  for (const [name, [test, expected]] of Object.entries(CHECKS)) {
    const value: unknown = options[name as keyof OpenApiOptions];
    if (value === undefined || test(value)) continue;
    const received = show(value);
    throw new DefinitionError(`fromOpenAPI: ${name} must be ${expected}; it is ${received}.`, {
      reason: 'wrong-value',
      option: name,
      expected,
      received,
    });
  }
  const { routeMaps = [], overrides = {} } = options;
  assertRouteMaps(routeMaps);
  for (const [index, { override }] of routeMaps.entries())
    if (override !== undefined) assertOverride(`The override of route map ${index + 1}`, override);
  for (const [key, override] of Object.entries(overrides)) assertOverride(`overrides: "${key}"`, override);
}

function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : String(value).slice(0, 100);
}
