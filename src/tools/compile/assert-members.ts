import { isObject } from '../../base/is-object.ts';
import {
  assertValues,
  BOOLEAN,
  FUNCTION,
  hasMembers,
  isBoolean,
  isJsonObject,
  isListOf,
  isString,
  MIDDLEWARE,
  oneOf,
  required,
  SCOPES,
  STRING,
  STRINGS,
  wholeNumber,
} from '../../errors/options/rules.ts';
import type { Check, Rule, Rules } from '../../errors/options/rules.ts';
import type { AnyToolDefinition } from '../tool-definition.ts';

const hasKnownHints = hasMembers({
  title: isString,
  readOnlyHint: isBoolean,
  destructiveHint: isBoolean,
  idempotentHint: isBoolean,
  openWorldHint: isBoolean,
  returnDirect: isBoolean,
  extensions: isObject,
});

/** Unknown hints are sent to clients unchanged, so they must be JSON. */
const hasHints: Check = (value) => hasKnownHints(value) && isJsonObject(value);

const ANNOTATIONS: Rule = [
  hasHints,
  'an object of hints that are true or false, a title, and members that JSON can represent',
];

/** Optional members of a definition. One invalid member can make a client reject the whole list. */
const MEMBERS: Partial<Rules<keyof AnyToolDefinition>> = {
  title: STRING,
  category: STRING,
  annotations: ANNOTATIONS,
  metadata: [
    hasMembers({ annotations: hasHints, inputJsonSchema: isObject }),
    'an object with inputJsonSchema and annotations',
  ],
  security: [
    hasMembers({ namespace: isString, operation: isString }),
    'an object with namespace and operation',
  ],
  icons: [
    isListOf((icon) => hasMembers({ src: isString })(icon) && 'src' in (icon as object)),
    'an array of objects with a src',
  ],
  _meta: [isJsonObject, 'an object that JSON can represent'],
  unknownArguments: oneOf('strip', 'reject', 'keep'),
  structuredText: oneOf('full', 'short'),
  maxResultBytes: wholeNumber(1),
  repairArguments: BOOLEAN,
  tags: STRINGS,
  scopes: SCOPES,
  missingScopes: oneOf('hide', 'challenge'),
  argumentScopes: FUNCTION,
  synonyms: STRINGS,
  endpoint: STRING,
  confirm: oneOf('preview'),
  confirmIf: FUNCTION,
  preview: FUNCTION,
  middleware: MIDDLEWARE,
  secrets: STRINGS,
  resolvedArguments: STRINGS,
};

/** Rejects annotations of the wrong type. */
export function assertAnnotations(annotations: unknown, owner: string): void {
  assertValues(owner, { annotations }, { annotations: required(ANNOTATIONS) });
}

/** Rejects optional members of the wrong type. */
export function assertMembers(definition: AnyToolDefinition<never>, owner: string): void {
  assertValues(owner, definition, MEMBERS);
}
