import { isObject } from '../base/is-object.ts';
import type { McpCallToolResult, McpContentBlock } from '../model/mcp-types.ts';
import {
  isAnnotations,
  isBase64,
  isIcon,
  isNumber,
  isPlainObject,
  isText,
  listOf,
  objectWith,
  optional,
} from './block-members.ts';
import type { MemberTest } from './block-members.ts';

interface BlockShape {
  /** Required members of a block of this type. */
  readonly required: readonly string[];
  /** All allowed members and their validators. */
  readonly members: ReadonlyMap<string, MemberTest>;
}

function shape(
  required: Readonly<Record<string, MemberTest>>,
  others: Readonly<Record<string, MemberTest>> = {},
): BlockShape {
  const optionals = Object.entries({ annotations: isAnnotations, _meta: isPlainObject, ...others });
  const members: [string, MemberTest][] = [
    ['type', isText],
    ...Object.entries(required),
    ...optionals.map(([key, test]): [string, MemberTest] => [key, optional(test)]),
  ];
  return { required: Object.keys(required), members: new Map(members) };
}

const ANY_CONTENTS = { uri: isText, mimeType: optional(isText), _meta: optional(isPlainObject) };
const isTextContents = objectWith({ ...ANY_CONTENTS, text: isText });
const isBlobContents = objectWith({ ...ANY_CONTENTS, blob: isBase64 });

const SHAPES: ReadonlyMap<unknown, BlockShape> = new Map([
  ['text', shape({ text: isText })],
  ['image', shape({ data: isBase64, mimeType: isText })],
  ['audio', shape({ data: isBase64, mimeType: isText })],
  [
    'resource_link',
    shape(
      { uri: isText, name: isText },
      { title: isText, description: isText, mimeType: isText, size: isNumber, icons: listOf(isIcon) },
    ),
  ],
  ['resource', shape({ resource: (value) => isTextContents(value) || isBlobContents(value) })],
]);

/**
 * Whether a value is one content block that every client accepts. An object with `type` and `text` and members of
 * its own is data: as a block it would lose those members. A block with an invalid member is data as well: clients
 * would reject the whole result.
 */
export function isContentBlock(value: unknown): value is McpContentBlock {
  if (!isObject(value)) return false;
  const wanted = SHAPES.get(value['type']);
  if (wanted === undefined || !wanted.required.every((key) => Object.hasOwn(value, key))) return false;
  return Object.keys(value).every((key) => wanted.members.get(key)?.(value[key]) === true);
}

const isBlockList = listOf(isContentBlock);

/** Whether a value is a non-empty array of content blocks. */
export function isContentList(value: unknown): value is McpContentBlock[] {
  return Array.isArray(value) && value.length > 0 && isBlockList(value);
}

/** Members of a result beside `content`, and their validators. */
const RESULT_MEMBERS = new Map<string, (member: unknown) => boolean>([
  ['content', isBlockList],
  ['structuredContent', () => true],
  ['isError', (member) => typeof member === 'boolean'],
  ['_meta', isPlainObject],
]);

/** Whether a value is a `CallToolResult`, and not data that happens to have a `content` member. */
export function isCallToolResult(value: unknown): value is McpCallToolResult {
  if (!isObject(value) || !Object.hasOwn(value, 'content')) return false;
  return Object.entries(value).every(
    ([key, member]) => member === undefined || RESULT_MEMBERS.get(key)?.(member) === true,
  );
}
