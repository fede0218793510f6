import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';
import type { TSSignature, TSType } from 'oxc-parser';
import { expect, test } from 'vitest';

/** Files with the types that users write. Editors show the comments of their members. */
const DEFINITIONS = [
  'src/tools/tool-definition.ts',
  'src/tools/components/component-definition.ts',
  'src/tools/grouped/action/action-definition.ts',
  'src/tools/grouped/define-grouped-tool.ts',
  'src/tools/compile/settings-options.ts',
  'src/prompts/prompt-definition.ts',
  'src/prompts/prompt-list.ts',
  'src/registry/tool-list.ts',
  'src/resources/resource-definition.ts',
  'src/resources/resource-list.ts',
  'src/server/server-options.ts',
];

const NO_FIELDS: ReadonlySet<unknown> = new Set(['TSNeverKeyword', 'TSUndefinedKeyword', 'TSUnknownKeyword']);

test.each(DEFINITIONS)('every field of the definitions in %s has a doc comment', (file) => {
  const source = readFileSync(file, 'utf8');
  const { program, comments } = parseSync(file, source);
  const ends = new Set(comments.filter(({ value }) => value.startsWith('*')).map(({ end }) => end));
  const bare: string[] = [];
  let fields = 0;
  const read = (owner: string, members: readonly TSSignature[]): void => {
    for (const member of members) {
      if (member.type !== 'TSPropertySignature') continue;
      const { start, end, typeAnnotation } = member;
      // A forbidden member is not a field, and a member of any type is described in another view of the same object.
      if (NO_FIELDS.has(typeAnnotation?.typeAnnotation.type)) continue;
      fields += 1;
      const isDocumented = ends.has(source.slice(0, start).trimEnd().length);
      if (!isDocumented) bare.push(`${owner}: ${source.slice(start, end).split('\n', 1).join('')}`);
    }
  };
  const readType = (owner: string, type: TSType): void => {
    if (type.type === 'TSTypeLiteral') read(owner, type.members);
    else if (type.type === 'TSParenthesizedType') readType(owner, type.typeAnnotation);
    else if (type.type === 'TSUnionType' || type.type === 'TSIntersectionType')
      for (const part of type.types) readType(owner, part);
  };
  new Visitor({
    TSInterfaceDeclaration: ({ id, body }) => read(id.name, body.body),
    TSTypeAliasDeclaration: ({ id, typeAnnotation }) => readType(id.name, typeAnnotation),
  }).visit(program);
  expect(fields).toBeGreaterThan(3);
  expect(bare).toEqual([]);
});
