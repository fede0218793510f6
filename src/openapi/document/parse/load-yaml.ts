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

/** How {@link loadYaml} reads a text. */
export interface YamlOptions {
  readonly limits: TreeLimits;
  /** Whether the last one of several equal keys counts; otherwise they are a mistake. Default: false. */
  readonly mayRepeatKeys?: boolean;
  /** Called at the beginning and at the end of each node, those of keys included. */
  readonly onNode?: (event: 'open' | 'close', state: YamlState) => void;
}

/** The parser between two characters. At the end of a node, `kind` and `result` are those of the node. */
export interface YamlState {
  readonly position: number;
  /** From 0 on. */
  readonly line: number;
  readonly lineStart: number;
  readonly kind: string | null;
  readonly result: unknown;
}

/** A text is not YAML. */
export class YamlMistake extends Error {
  /** The place, where there is one: all of them from 0 on. */
  readonly mark: { readonly position: number; readonly line: number; readonly column: number } | undefined;
  readonly isRepeatedKey: boolean;

  constructor(reason: string, mark: YamlMistake['mark']) {
    super(reason);
    this.mark = mark;
    this.isRepeatedKey = reason === 'duplicated mapping key';
  }
}

/** Dates stay texts, and `<<` merges, which newer versions of YAML have no more and documents have all the same. */
const { types } = yaml as unknown as { readonly types: { readonly merge: Type } };
const SCHEMA = CORE_SCHEMA.extend({ implicit: [types.merge] });
/** So many members may come into a document by `<<`. */
const MAX_MERGED = 1_000_000;

/** Options that the types of the library do not know. */
interface YamlLimits {
  readonly maxDepth: number;
  readonly maxTotalMergeKeys: number;
}

/**
 * The documents of a text of YAML. What aliases make of them is not measured yet: they may contain themselves, or stand for more values
 * than there is time.
 */
export function loadYaml(document: DocumentText, options: YamlOptions): unknown[] {
  const { name } = document;
  const { limits, onNode } = options;
  let containers = 0;
  const own: YamlLimits = {
    // Scalars and keys have a level of their own there; what is exactly too deep is found afterwards.
    maxDepth: limits.maxDocumentDepth + 8,
    maxTotalMergeKeys: MAX_MERGED,
  };
  try {
    return loadAll(document.text, null, {
      ...own,
      schema: SCHEMA,
      json: options.mayRepeatKeys === true,
      // A short text can take a lot of memory. Some are looked at twice, so this is only a bound.
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

/** The error of the library holds the whole text, so it is not kept. */
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
