import type { LoadedDocument } from '../../document/load-document.ts';
import type { References, Target } from '../../document/references.ts';
import type { PatternJudge } from './pattern-judge.ts';
import type { Step } from './reference-loops.ts';

/** Whether a schema describes what is sent or what comes back. */
export type Direction = 'request' | 'response';

/** What is to be said of a schema. Fatal: whoever needs it cannot be called. */
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

/** A converted schema, the definitions it refers to by itself, and its problems. */
export interface Converted {
  readonly node: unknown;
  readonly uses: ReadonlySet<Definition>;
  readonly problems: readonly SchemaProblem[];
}

/** Where a conversion stands. */
export interface Conversion {
  readonly base: string;
  readonly depth: number;
  /** How many lists of schemas we are in: some checkers take twice as long for each. */
  readonly lists: number;
  /** Properties that leave the object, because they only go the other way: nobody may ask for them. */
  readonly dropped: ReadonlySet<string>;
  /** The definition that describes the very same value, if there is one: it must not be led back to. */
  readonly owner: Target | undefined;
  /** How we stand in the owner. */
  readonly step: Step;
  /** Schemas around us that are written out in the owner, because references to them would lead back to it. */
  readonly written: ReadonlySet<object>;
  /** Whether we are in a part that is written out: its choices lead back, and do not count. */
  readonly isWrittenPart: boolean;
  /** Whether we are in a part of a schema whose parts forbid each other's properties, and are to allow them. */
  readonly isOpened: boolean;
  /** How many more schemas may be written out. */
  readonly room: { left: number };
  readonly uses: Set<Definition>;
  readonly problem: (text: string, isFatal?: boolean) => void;
}

/** What a converter works on. */
export interface ConverterParts {
  readonly references: References;
  readonly version: LoadedDocument['version'];
  readonly direction: Direction;
  /** Cleans and shortens a description. */
  readonly describe: (text: string) => string;
  /** Whether parts that forbid each other's properties are opened. Responses are not judged by such parts anyway. */
  readonly isLenient?: boolean;
}

/** What the conversions of single keywords need of the whole. */
export interface Converter {
  readonly parts: ConverterParts;
  readonly patterns: PatternJudge;
  /** Converts a schema within another one. */
  convertNode(value: unknown, at: Conversion): unknown;
}
