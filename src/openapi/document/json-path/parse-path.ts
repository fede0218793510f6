import { PathScanner } from './path-scanner.ts';
import { isSingular } from './path-syntax.ts';
import type { Operand, Operator, Query, Segment, Selector, Test } from './path-syntax.ts';

/** Maximum depth of nested filters and brackets. */
const MAX_DEPTH = 32;
const OPERATORS: readonly Operator[] = ['==', '!=', '<=', '>=', '<', '>'];

/** Parses a JSONPath. Throws a `PathMistake` if it is invalid. */
export function parsePath(text: string): Query {
  const scanner = new PathScanner(text.trim());
  scanner.expect('$');
  const segments = readSegments(scanner, 0);
  if (!scanner.isAtEnd) throw scanner.mistake('unexpected character');
  return { from: 'root', segments };
}

function readSegments(scanner: PathScanner, depth: number): Segment[] {
  const segments: Segment[] = [];
  for (;;) {
    const start = scanner.position;
    scanner.skipSpace();
    if (scanner.take('..')) segments.push({ isDeep: true, selectors: readDeep(scanner, depth) });
    else if (scanner.take('.')) segments.push({ isDeep: false, selectors: [readShort(scanner)] });
    else if (scanner.take('[')) segments.push({ isDeep: false, selectors: readSelectors(scanner, depth) });
    else {
      scanner.position = start;
      return segments;
    }
  }
}

function readDeep(scanner: PathScanner, depth: number): Selector[] {
  return scanner.take('[') ? readSelectors(scanner, depth) : [readShort(scanner)];
}

/** The selector after a dot. */
function readShort(scanner: PathScanner): Selector {
  if (scanner.take('*')) return { kind: 'wildcard' };
  const name = scanner.name();
  if (name === '') throw scanner.mistake('expected a name');
  return { kind: 'name', name };
}

function readSelectors(scanner: PathScanner, depth: number): Selector[] {
  const selectors: Selector[] = [];
  do {
    scanner.skipSpace();
    selectors.push(readSelector(scanner, depth));
    scanner.skipSpace();
  } while (scanner.take(','));
  scanner.expect(']');
  return selectors;
}

function readSelector(scanner: PathScanner, depth: number): Selector {
  if (scanner.take('*')) return { kind: 'wildcard' };
  if (scanner.take('?')) return { kind: 'filter', test: readTest(scanner, depth + 1) };
  const name = scanner.quoted();
  if (name !== undefined) return { kind: 'name', name };
  const start = scanner.integer();
  scanner.skipSpace();
  if (scanner.take(':')) return readSlice(scanner, start);
  if (start === undefined) throw scanner.mistake('expected a name in quotes, an index, "*" or a filter');
  return { kind: 'index', index: start };
}

function readSlice(scanner: PathScanner, start: number | undefined): Selector {
  scanner.skipSpace();
  const end = scanner.integer();
  scanner.skipSpace();
  if (!scanner.take(':')) return { kind: 'slice', start, end, step: 1 };
  scanner.skipSpace();
  return { kind: 'slice', start, end, step: scanner.integer() ?? 1 };
}

function readTest(scanner: PathScanner, depth: number): Test {
  if (depth > MAX_DEPTH) throw scanner.mistake('it is nested too deeply');
  return readJoined(scanner, { kind: 'or', sign: '||' }, () =>
    readJoined(scanner, { kind: 'and', sign: '&&' }, () => readBasic(scanner, depth)),
  );
}

function readJoined(
  scanner: PathScanner,
  { kind, sign }: { readonly kind: 'or' | 'and'; readonly sign: string },
  readPart: () => Test,
): Test {
  const first = readPart();
  const parts = [first];
  for (scanner.skipSpace(); scanner.take(sign); scanner.skipSpace()) parts.push(readPart());
  return parts.length === 1 ? first : { kind, parts };
}

function readBasic(scanner: PathScanner, depth: number): Test {
  scanner.skipSpace();
  if (depth > MAX_DEPTH) throw scanner.mistake('it is nested too deeply');
  if (!scanner.isNext('!=') && scanner.take('!')) return { kind: 'not', part: readBasic(scanner, depth + 1) };
  if (scanner.take('(')) {
    const part = readTest(scanner, depth + 1);
    scanner.skipSpace();
    scanner.expect(')');
    return part;
  }
  return readComparison(scanner, depth);
}

function readComparison(scanner: PathScanner, depth: number): Test {
  const left = readOperand(scanner, depth);
  if ('isWhole' in left) return left;
  scanner.skipSpace();
  const operator = OPERATORS.find((each) => scanner.take(each));
  if (operator === undefined) {
    if (left.kind === 'query' && !scanner.isNext('=')) return { kind: 'exists', query: left.query };
    throw scanner.mistake(`expected one of ${OPERATORS.join(' ')}`);
  }
  scanner.skipSpace();
  const right = readOperand(scanner, depth);
  if ('isWhole' in right) throw scanner.mistake('match and search cannot be compared');
  return { kind: 'compare', left: comparable(left, scanner), operator, right: comparable(right, scanner) };
}

function comparable(operand: Operand, scanner: PathScanner): Operand {
  if (operand.kind === 'query' && !isSingular(operand.query))
    throw scanner.mistake('only paths to a single value can be compared');
  return operand;
}

type PatternTest = Extract<Test, { kind: 'pattern' }>;

function readOperand(scanner: PathScanner, depth: number): Operand | PatternTest {
  const query = readQuery(scanner, depth);
  if (query !== undefined) return { kind: 'query', query };
  const text = scanner.quoted() ?? scanner.number();
  if (text !== undefined) return { kind: 'literal', value: text };
  const word = scanner.word();
  switch (word) {
    case 'true':
    case 'false':
      return { kind: 'literal', value: word === 'true' };
    case 'null':
      return { kind: 'literal', value: null };
    case 'length':
    case 'count':
    case 'value':
    case 'match':
    case 'search':
      return readCall(scanner, word, depth);
    case undefined:
      throw scanner.mistake('expected a value, "@" or "$"');
    default:
      throw scanner.mistake(`unknown name ${word}`);
  }
}

function readQuery(scanner: PathScanner, depth: number): Query | undefined {
  const from = scanner.take('@') ? 'current' : scanner.take('$') ? 'root' : undefined;
  return from === undefined ? undefined : { from, segments: readSegments(scanner, depth) };
}

type CallName = 'length' | 'count' | 'value' | 'match' | 'search';

function readCall(scanner: PathScanner, name: CallName, depth: number): Operand | PatternTest {
  scanner.expect('(');
  const first = readArgument(scanner, depth);
  let result: Operand | PatternTest;
  if (name === 'length') result = { kind: 'length', of: comparable(first, scanner) };
  else if (name === 'match' || name === 'search') {
    scanner.expect(',');
    const pattern = comparable(readArgument(scanner, depth), scanner);
    result = { kind: 'pattern', isWhole: name === 'match', text: comparable(first, scanner), pattern };
  } else if (first.kind !== 'query') throw scanner.mistake(`${name} requires a path`);
  else result = { kind: name, query: first.query };
  scanner.expect(')');
  return result;
}

function readArgument(scanner: PathScanner, depth: number): Operand {
  scanner.skipSpace();
  if (depth > MAX_DEPTH) throw scanner.mistake('it is nested too deeply');
  const operand = readOperand(scanner, depth + 1);
  if ('isWhole' in operand) throw scanner.mistake('match and search return no value');
  scanner.skipSpace();
  return operand;
}
