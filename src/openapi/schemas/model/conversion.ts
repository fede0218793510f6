import type { LoadedDocument } from '../../document/load-document.ts';
import type { References, Target } from '../../document/references.ts';
import type { PatternJudge } from './pattern-judge.ts';
import type { Step } from './reference-loops.ts';

/** Whether a schema describes a request or a response. */
export type Direction = 'request' | 'response';

/** A problem of a schema. Fatal: operations that need it cannot be called. */
export interface SchemaProblem {
  readonly text: string;
  readonly isFatal: boolean;
}

/** A schema of the document that others refer to, converted once for all tools. */
export interface Definition {
  readonly name: string;
  readonly target: Target;
  converted: Converted | undefined;
}

/** A converted schema, its own references to definitions, and its problems. */
export interface Converted {
  readonly node: unknown;
  readonly uses: ReadonlySet<Definition>;
  readonly problems: readonly SchemaProblem[];
}

/** State of a conversion. */
export interface Conversion {
  readonly base: string;
  readonly depth: number;
  /** Nesting of arrays of schemas: some validators take twice as long for each level. */
  readonly lists: number;
  /** Properties that are removed from the object because they are for the other direction: they must not be required. */
  readonly dropped: ReadonlySet<string>;
  /** The definition that describes the same value, if there is one: it must not be referred to. */
  readonly owner: Target | undefined;
  /** Relation to the owner. */
  readonly step: Step;
  /** Enclosing schemas that are inlined in the owner, because references to them would refer back to it. */
  readonly written: ReadonlySet<object>;
  /** Whether this is within an inlined part: alternatives that refer back are ignored. */
  readonly isWrittenPart: boolean;
  /** Whether this is within a part of a schema whose parts forbid each other's properties, and are opened. */
  readonly isOpened: boolean;
  /** Number of schemas that may still be inlined. */
  readonly room: { left: number };
  readonly uses: Set<Definition>;
  readonly problem: (text: string, isFatal?: boolean) => void;
}

/** Parts of a converter. */
export interface ConverterParts {
  readonly references: References;
  readonly version: LoadedDocument['version'];
  readonly direction: Direction;
  /** Cleans and shortens a description. */
  readonly describe: (text: string) => string;
  /** Whether parts that forbid each other's properties are opened. Responses are never validated by such parts. */
  readonly isLenient?: boolean;
}

/** The functions of the converter that conversions of single keywords use. */
export interface Converter {
  readonly parts: ConverterParts;
  readonly patterns: PatternJudge;
  /** Converts a schema within another one. */
  convertNode(value: unknown, at: Conversion): unknown;
}
