import { describe, expect, test } from 'vitest';
import { ERROR_CODES, JSON_RPC_INVALID_PARAMS } from '../../../src/errors/codes.ts';
import {
  DefaultArgumentResolutionError,
  DefinitionError,
  DuplicateNameError,
  MissingPeerError,
  SchemaError,
  ToolError,
  ToolwrightError,
  ValidationError,
} from '../../../src/errors/errors.ts';
import { formatIssue, formatPath } from '../../../src/errors/issue.ts';
import { findNearestNames } from '../../../src/errors/nearest-names.ts';

describe('error classes', () => {
  const cause = new Error('why');
  test.each([
    [new DefinitionError('m', { cause }), 'DefinitionError', 'INVALID_DEFINITION', 'developer'],
    [new SchemaError('m', { cause }), 'SchemaError', 'UNSUPPORTED_SCHEMA', 'developer'],
    [new DuplicateNameError('Tool', 'add'), 'DuplicateNameError', 'DUPLICATE_NAME', 'developer'],
    [new MissingPeerError('X', ['a'], { cause }), 'MissingPeerError', 'MISSING_PEER', 'developer'],
    [new ToolError('m', { cause }), 'ToolError', 'TOOL_ERROR', 'caller'],
    [new ValidationError([]), 'ValidationError', 'INVALID_ARGUMENTS', 'caller'],
    [
      new DefaultArgumentResolutionError('m', { cause }),
      'DefaultArgumentResolutionError',
      'DEFAULTS_FAILED',
      'caller',
    ],
  ])('%s has its name, its code and its fate', (error, name, code, fate) => {
    expect(error).toBeInstanceOf(ToolwrightError);
    expect([error.name, error.code, error.fate]).toEqual([name, code, fate]);
    expect([undefined, cause]).toContain(error.cause);
  });

  test('a subclass carries its own name', () => {
    class QuotaError extends ToolError {}
    expect(new QuotaError('m').name).toBe('QuotaError');
  });

  test('messages say what to do', () => {
    expect(new DuplicateNameError('Tool', 'add', { claimants: ['a.ts', 'b.ts'] }).message).toBe(
      "Tool with name 'add' already exists (claimed by a.ts and by b.ts). Rename one of them, or mount one under a prefix.",
    );
    expect(new DuplicateNameError('Prompt', 'greet').message).toBe(
      "Prompt with name 'greet' already exists. Rename one of them, or remove the first with removePrompt.",
    );
    expect(new DuplicateNameError('Resource', 'docs://a').message).toBe(
      "Resource with URI 'docs://a' already exists. Give one of them another URI, or remove the first with removeResource.",
    );
    expect(new MissingPeerError('Raw JSON Schema', ['ajv', 'ajv-formats']).message).toBe(
      'Raw JSON Schema needs "ajv" and "ajv-formats". Install with: npm install ajv ajv-formats',
    );
    expect(
      new ValidationError([
        { path: ['a'], message: 'is wrong' },
        { path: [], message: 'x' },
      ]).message,
    ).toBe('a: is wrong; (arguments): x');
    expect(new ToolError('m').suggestions).toEqual([]);
  });
});

describe('error codes', () => {
  test('every code has a fate and one sentence that says when it happens', () => {
    const entries = Object.entries(ERROR_CODES);
    expect(entries.length).toBeGreaterThan(10);
    for (const [code, { fate, when }] of entries) {
      expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/);
      expect(['developer', 'protocol', 'caller']).toContain(fate);
      expect(when).toMatch(/^[A-Za-z].+\.$/);
    }
  });

  test('the code for invalid parameters is that of JSON-RPC', () => {
    expect(JSON_RPC_INVALID_PARAMS).toBe(-32602);
  });
});

describe('issues as text', () => {
  test.each([
    [[], '(arguments)'],
    [['a'], 'a'],
    [['items', 2, 'name'], 'items[2].name'],
    [[0, 'a'], '[0].a'],
    [['a b', 'c.d', '$x-y'], '["a b"]["c.d"].$x-y'],
    [['', '"'], '[""]["\\""]'],
  ])('the path %j reads %s', (path, text) => {
    expect(formatPath(path)).toBe(text);
  });

  test.each([
    [{ path: ['a'], message: 'is wrong' }, 'a: is wrong'],
    [{ path: ['a'], message: 'm', expected: 'number' }, 'a: m (expected: number)'],
    [{ path: ['a'], message: 'm', received: 'null' }, 'a: m (received: null)'],
    [{ path: [], message: 'm', expected: 'x', received: 'y' }, '(arguments): m (expected: x; received: y)'],
  ])('%j reads %s', (issue, text) => {
    expect(formatIssue(issue)).toBe(text);
  });
});

describe('nearest names', () => {
  const names = ['list_notes', 'list_users', 'create_note', 'id', 'ID2', 'list_note'];

  test.each([
    ['list_nots', ['list_note', 'list_notes']],
    ['LIST_NOTES', ['list_notes', 'list_note']],
    ['creat_note', ['create_note']],
    ['something_else', []],
    ['ix', []],
    ['ID', ['id']],
    ['', []],
  ])('%s is near %j', (name, expected) => {
    expect(findNearestNames(name, names)).toEqual(expected);
  });

  test('at most three are given, the nearest first', () => {
    expect(findNearestNames('abcdef', ['abcxef', 'abcdex', 'abcdefg', 'abcdef', 'abcde'])).toEqual([
      'abcdef',
      'abcde',
      'abcdefg',
    ]);
  });

  test('a name beyond 128 characters is not compared', () => {
    expect(findNearestNames('a'.repeat(128), ['a'.repeat(127)])).toEqual(['a'.repeat(127)]);
    expect(findNearestNames('a'.repeat(129), ['a'.repeat(129)])).toEqual([]);
  });
});

describe('the data of an error', () => {
  test('is there for an error about an option, and adds nothing to others', () => {
    const error = new DefinitionError('maxItems must be a number; received "x".', {
      reason: 'wrong-value',
      option: 'maxItems',
      expected: 'a number',
      received: '"x"',
    });
    expect(error).toMatchObject({
      code: 'INVALID_DEFINITION',
      reason: 'wrong-value',
      option: 'maxItems',
      expected: 'a number',
      received: '"x"',
    });
    expect(Object.keys(new DefinitionError('It is wrong.'))).toEqual(['code', 'name']);
    expect(new DefinitionError('a is wrong.', { option: 'a' }).reason).toBe('invalid-option');
  });

  test('has what the message sums up, and what its cause says', () => {
    const finding = {
      reason: 'excluded',
      option: 'excludeTags',
      received: 'a',
      message: 'left out',
    } as const;
    const cause = new DefinitionError('b is wrong.', { option: 'b', path: [0] });
    const error = new DefinitionError('It is left out, and b is wrong.', { cause, findings: [finding] });
    expect(error.findings).toEqual([
      finding,
      { reason: 'invalid-option', option: 'b', path: [0], message: 'b is wrong.' },
    ]);
    expect(error.option).toBeUndefined();
  });
});
