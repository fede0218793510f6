import * as yaml from 'js-yaml';
import { CORE_SCHEMA, loadAll, YAMLException } from 'js-yaml';
import type { Type } from 'js-yaml';
import { DefinitionError } from '../../../errors/errors.ts';
import { tooDeep, tooManyNodes } from './document-limits.ts';
import type { TreeLimits } from './document-limits.ts';

/** A text, and its name in messages: a path, a URL, or `The document`. */
export interface DocumentText {
  readonly name: string;
  readonly text: string;
}

/** Options of {@link loadYaml}. */
export interface YamlOptions {
  readonly limits: TreeLimits;
  /** Whether the last one of duplicate keys is used; otherwise they are an error. Default: false. */
  readonly mayRepeatKeys?: boolean;
  /** Called at the start and the end of each node, including keys. */
  readonly onNode?: (event: 'open' | 'close', state: YamlState) => void;
}

/** State of the parser. At the end of a node, `kind` and `result` are those of the node. */
export interface YamlState {
  readonly position: number;
  /** Counted from 0. */
  readonly line: number;
  readonly lineStart: number;
  readonly kind: string | null;
  readonly result: unknown;
}

/** The text is not valid YAML. */
export class YamlMistake extends Error {
  /** Position of the error, if known; all numbers count from 0. */
  readonly mark: { readonly position: number; readonly line: number; readonly column: number } | undefined;
  readonly isRepeatedKey: boolean;

  constructor(reason: string, mark: YamlMistake['mark']) {
    super(reason);
    this.mark = mark;
    this.isRepeatedKey = reason === 'duplicated mapping key';
  }
}

/** Dates stay strings. `<<` merges: newer versions of YAML dropped it, but documents use it. */
const { types } = yaml as unknown as { readonly types: { readonly merge: Type } };
const SCHEMA = CORE_SCHEMA.extend({ implicit: [types.merge] });
/** Maximum number of members that `<<` may add to a document. */
const MAX_MERGED = 1_000_000;

/** Options that are missing in the types of the library. */
interface YamlLimits {
  readonly maxDepth: number;
  readonly maxTotalMergeKeys: number;
}

/**
 * Parses the documents of a YAML text. Aliases are not measured yet: a document may contain itself, or unfold to
 * too many values.
 */
export function loadYaml(document: DocumentText, options: YamlOptions): unknown[] {
  const { name } = document;
  const { limits, onNode } = options;
  let containers = 0;
  const own: YamlLimits = {
    // The library counts scalars and keys as levels; the exact depth is checked afterwards.
    maxDepth: limits.maxDocumentDepth + 8,
    maxTotalMergeKeys: MAX_MERGED,
  };
  try {
    return loadAll(document.text, null, {
      ...own,
      schema: SCHEMA,
      json: options.mayRepeatKeys === true,
      // A short text can take a lot of memory. Some nodes are visited twice, so this is only a bound.
      listener(event, state) {
        onNode?.(event, state);
        if (event !== 'close' || (state.kind !== 'mapping' && state.kind !== 'sequence')) return;
        containers += 1;
        if (containers > limits.maxDocumentNodes * 2) throw tooManyNodes(name, limits);
      },
    });
  } catch (error) {
    throw toError(name, error, limits);
  }
}

/** Does not keep the error of the library, which contains the whole text. */
function toError(name: string, error: unknown, limits: TreeLimits): DefinitionError | YamlMistake {
  if (error instanceof DefinitionError) return error;
  if (!(error instanceof YAMLException)) return tooDeep(name, limits);
  const reason = String(error.reason);
  if (reason.startsWith('nesting exceeded')) return tooDeep(name, limits);
  if (reason.startsWith('merge keys exceeded'))
    return new DefinitionError(`${name} merges more than ${MAX_MERGED} members by "<<".`);
  const mark = error.mark as YAMLException['mark'] | undefined;
  if (mark === undefined) return new YamlMistake(reason, undefined);
  const { position, line, column } = mark;
  return new YamlMistake(reason, { position, line, column });
}
