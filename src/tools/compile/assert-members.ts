import { DefinitionError } from '../../errors/errors.ts';
import type { AnyToolDefinition } from '../tool-definition.ts';
import {
  assertEach,
  hasMembers,
  isFlag,
  isJsonObject,
  isListOf,
  isObject,
  isOneOf,
  isText,
} from './member-checks.ts';
import type { MemberRule } from './member-checks.ts';

const ANNOTATIONS = hasMembers({
  title: isText,
  readOnlyHint: isFlag,
  destructiveHint: isFlag,
  idempotentHint: isFlag,
  openWorldHint: isFlag,
  returnDirect: isFlag,
});

/** The optional members of a definition, what they must be, and how to say it. One wrong one can make a client refuse the whole list. */
const MEMBERS: readonly MemberRule<keyof AnyToolDefinition>[] = [
  ['title', isText, 'a string'],
  ['category', isText, 'a string'],
  ['annotations', ANNOTATIONS, 'an object of hints that are true or false, and a title'],
  [
    'metadata',
    hasMembers({ annotations: ANNOTATIONS, inputJsonSchema: isObject }),
    'an object with inputJsonSchema and annotations',
  ],
  [
    'security',
    hasMembers({ namespace: isText, operation: isText }),
    'an object with namespace and operation',
  ],
  [
    'icons',
    isListOf((icon) => hasMembers({ src: isText })(icon) && 'src' in (icon as object)),
    'a list of objects with a src',
  ],
  ['_meta', isJsonObject, 'an object that JSON can carry'],
  ['unknownArguments', isOneOf('strip', 'reject', 'keep'), "'strip', 'reject' or 'keep'"],
  ['structuredText', isOneOf('full', 'short'), "'full' or 'short'"],
  ['repairArguments', isFlag, 'true or false'],
  ['tags', isListOf(isText), 'a list of strings'],
  ['scopes', isListOf(isText), 'a list of strings'],
  ['synonyms', isListOf(isText), 'a list of strings'],
  ['confirm', isOneOf('preview'), "'preview'"],
  ['preview', (value) => typeof value === 'function', 'a function'],
  [
    'middleware',
    isListOf((entry) => typeof entry === 'function'),
    'a list of functions: ({ context, next }) => next()',
  ],
  ['secrets', isListOf(isText), 'a list of strings'],
  ['resolvedArguments', isListOf(isText), 'a list of strings'],
];

/** Refuses annotations of the wrong kind. */
export function assertAnnotations(annotations: unknown, owner: string): void {
  if (!ANNOTATIONS(annotations))
    throw new DefinitionError(
      `${owner}: annotations must be an object of hints that are true or false, and a title.`,
    );
}

/** Refuses optional members of the wrong kind. */
export function assertMembers(definition: AnyToolDefinition<never>, owner: string): void {
  assertEach(definition, MEMBERS, owner);
}
