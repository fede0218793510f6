import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import type { CallExpression, MemberExpression } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { REQUIREMENTS } from './requirements.ts';
import { DIALOGUE } from './requirements/dialogue.ts';
import { FEATURES } from './requirements/features.ts';
import { HTTP } from './requirements/http.ts';
import { LEGACY } from './requirements/legacy.ts';
import { MESSAGES } from './requirements/messages.ts';
import { STDIO } from './requirements/stdio.ts';

/** Citations of a test file. */
interface Citations {
  readonly ids: readonly string[];
  /** Citations that cannot be parsed. */
  readonly unreadable: number;
  /** Skipped tests, or tests marked as the only ones. */
  readonly left: number;
}

/** The ids in calls of `requirement`, parsed from the source, because test files run in separate workers. */
function findCitations(name: string, source: string): Citations {
  const ids: string[] = [];
  let unreadable = 0;
  let left = 0;
  const { program, errors } = parseSync(name, source);
  if (errors.length > 0) throw new Error(`${name} cannot be parsed`);
  const read = ({ callee, arguments: [first] }: CallExpression): void => {
    if (callee.type !== 'Identifier' || callee.name !== 'requirement') return;
    const cited = first?.type === 'ArrayExpression' ? first.elements : [first];
    if (cited.length === 0) unreadable += 1;
    for (const entry of cited) {
      if (entry?.type === 'Literal' && typeof entry.value === 'string') ids.push(entry.value);
      else unreadable += 1;
    }
  };
  const look = ({ object, property }: MemberExpression): void => {
    const isOfVitest = object.type === 'Identifier' && ['describe', 'test'].includes(object.name);
    if (isOfVitest && property.type === 'Identifier' && LEAVES_OUT.has(property.name)) left += 1;
  };
  new Visitor({ CallExpression: read, MemberExpression: look }).visit(program);
  return { ids, unreadable, left };
}

const LEAVES_OUT: ReadonlySet<string> = new Set(['skip', 'only', 'todo', 'skipIf', 'runIf', 'fails']);

/** Differences between requirements and citations. */
function findGaps(known: readonly string[], files: ReadonlyMap<string, string>): Record<string, string[]> {
  const cited = new Set<string>();
  const unknown: string[] = [];
  const unreadable: string[] = [];
  const leftOut: string[] = [];
  for (const [name, source] of files) {
    const found = findCitations(name, source);
    if (found.unreadable > 0) unreadable.push(name);
    if (found.left > 0) leftOut.push(name);
    for (const id of found.ids) {
      cited.add(id);
      if (!known.includes(id)) unknown.push(`${name}: ${id}`);
    }
  }
  return { untested: known.filter((id) => !cited.has(id)), unknown, unreadable, leftOut };
}

const NO_GAPS = { untested: [], unknown: [], unreadable: [], leftOut: [] };

const FOLDER = import.meta.dirname;

function testFiles(): Map<string, string> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts'));
  return new Map(names.map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]));
}

describe('the requirements', () => {
  test('every one has a test, and every test cites one that there is', () => {
    const files = testFiles();
    expect(files.size).toBeGreaterThan(10);
    expect(Object.keys(REQUIREMENTS).length).toBeGreaterThan(200);
    expect(findGaps(Object.keys(REQUIREMENTS), files)).toEqual(NO_GAPS);
  });

  test('no id is in two tables', () => {
    const tables = [MESSAGES, HTTP, FEATURES, DIALOGUE, LEGACY, STDIO];
    const ids = tables.flatMap((table) => Object.keys(table));
    expect(ids.length).toBe(Object.keys(REQUIREMENTS).length);
  });

  test('every one is a sentence with a source and its revisions', () => {
    for (const [id, { behaviour, revisions, source }] of Object.entries(REQUIREMENTS)) {
      expect(id).toMatch(/^[a-z]+(:[a-z0-9-]+)+$/);
      expect(behaviour, id).toMatch(/^[\w].*\.$/);
      expect(source, id).not.toBe('');
      expect(revisions.length, id).toBeGreaterThan(0);
    }
  });
});

describe('the check itself', () => {
  const check = (source: string): Record<string, string[]> =>
    findGaps(['a:one', 'a:two'], new Map([['x.test.ts', source]]));

  test('citations are found one by one, in lists and in loops', () => {
    expect(
      check("requirement('a:one', 'It is.', () => {}); requirement('a:two', 'It is.', () => {});"),
    ).toEqual(NO_GAPS);
    expect(
      check("describe('x', () => { for (const y of z) requirement(['a:one', 'a:two'], y, run); });"),
    ).toEqual(NO_GAPS);
  });

  test('a requirement without a test is found', () => {
    expect(check("requirement('a:one', 'It is.', () => {});")).toEqual({ ...NO_GAPS, untested: ['a:two'] });
    expect(check('')).toEqual({ ...NO_GAPS, untested: ['a:one', 'a:two'] });
  });

  test('a citation of nothing is found', () => {
    const source = "requirement(['a:one', 'a:two', 'a:three'], 'It is.', () => {});";
    expect(check(source)).toEqual({ ...NO_GAPS, unknown: ['x.test.ts: a:three'] });
  });

  test('a citation that cannot be read is found', () => {
    const all = "requirement(['a:one', 'a:two'], 'It is.', () => {});";
    for (const other of [
      'requirement(id, t, f);',
      "requirement(['a:one', id], t, f);",
      'requirement([], t, f);',
      'requirement();',
      'requirement(`a:one`, t, f);',
    ])
      expect(check(all + other), other).toEqual({ ...NO_GAPS, unreadable: ['x.test.ts'] });
  });

  test('tests that are left out are found', () => {
    const all = "requirement(['a:one', 'a:two'], 'It is.', () => {});";
    for (const how of ['skip', 'only', 'todo', 'skipIf(x)'])
      for (const of of ['describe', 'test'])
        expect(check(`${of}.${how}('x', () => { ${all} });`)).toEqual({ ...NO_GAPS, leftOut: ['x.test.ts'] });
  });

  test('text, comments and other calls do not count', () => {
    const source = `
      // requirement('a:one', 'It is.', () => {});
      const text = "requirement('a:one', 'It is.', () => {})";
      other.requirement('a:one', 'It is.', () => {});
      test('a:two', () => {});
    `;
    expect(check(source)).toEqual({ ...NO_GAPS, untested: ['a:one', 'a:two'] });
  });
});
