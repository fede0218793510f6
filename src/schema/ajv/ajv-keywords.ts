import type {
  Ajv2020,
  CodeKeywordDefinition,
  ErrorObject,
  FuncKeywordDefinition,
  ValidateFunction,
} from 'ajv/dist/2020.js';
import { canonicalJson, createValueSet } from '../../base/json/canonical-json.ts';
import { MAX_ERRORS, stepsOf } from './check-budget.ts';
import type { CheckBudget } from './check-budget.ts';
import { isNode, namedChildren } from '../nodes/json-node.ts';
import type { SchemaNode } from '../nodes/json-node.ts';

/** A compiled schema or keyword. Without errors, Ajv makes one of the keyword's message. */
type Validate = Pick<ValidateFunction, 'errors'> & ((...args: Parameters<ValidateFunction>) => boolean);

/** Counts a step; see `prepareDocument`. */
export const STEP = 'toolwright-step';
/** Ends a check that finds too many errors; see {@link useErrorBound}. */
export const BOUND = 'toolwright-bound';
/** Stands for `$ref`; see {@link useReferences}. */
export const REFERENCE = 'toolwright-ref';
/** A keyword of which Ajv writes the errors: it adds one in constant time, and copies all of them for one that a function brings. */
interface Keyword<TSchema> {
  readonly type?: 'array';
  readonly message: (schema: TSchema) => string;
  readonly compile: (schema: TSchema) => (data: unknown) => boolean;
}

function useKeyword<TSchema>(ajv: Ajv2020, keyword: string, { message, ...rest }: Keyword<TSchema>): void {
  ajv.removeKeyword(keyword);
  const error = { message: ({ schema }: { readonly schema: TSchema }) => message(schema) };
  ajv.addKeyword({ keyword, errors: false, error, ...rest });
}

/** Puts linear checks in the place of Ajv's: it compares each element with each other, and with each entry of an enumeration. */
export function useLinearKeywords(ajv: Ajv2020, budget: CheckBudget): void {
  const visit = (): void => budget.spend(1);
  useKeyword(ajv, 'uniqueItems', {
    type: 'array',
    message: () => 'must NOT have duplicate items',
    compile: (isUnique: boolean) => (list) => {
      if (!isUnique) return true;
      const seen = new Set<string>();
      return (list as readonly unknown[]).every((element) => {
        const text = canonicalJson(element, visit);
        return !seen.has(text) && seen.add(text);
      });
    },
  });
  useKeyword(ajv, 'enum', {
    message: () => 'must be equal to one of the allowed values',
    compile: (values: readonly unknown[]) => createValueSet(values, visit),
  });
}

/** Makes {@link STEP} count what the schema beside it makes Ajv go through. */
export function useSteps(ajv: Ajv2020, budget: CheckBudget): void {
  const compile = (_: unknown, node: SchemaNode): ((data: unknown) => boolean) => {
    const [perKey, readsText] = [stepsPerKey(node), readsTexts(node)];
    return (data) => {
      if (readsText && typeof data === 'string') budget.spend(stepsOf(data));
      else if (perKey > 0 && isNode(data)) budget.spend(1 + perKey * Object.keys(data).length);
      else budget.spend(1);
      return true;
    };
  };
  ajv.addKeyword({ keyword: STEP, errors: false, compile });
}

/** The part of Ajv's code generator that {@link useErrorBound} needs. Its types want code that is made by Ajv, which is loaded by name. */
interface KeywordCode {
  readonly gen: {
    scopeValue(prefix: string, value: { readonly ref: unknown }): { toString(): string };
    code(text: string): unknown;
  };
}

/**
 * Makes {@link BOUND} look at how many errors there are. Ajv collects all of them, and copies them for each reference that it follows: a
 * request of a few kilobytes could have it collect millions.
 */
export function useErrorBound(ajv: Ajv2020, budget: CheckBudget): void {
  const stop = (): void => budget.stop();
  const code = ({ gen }: KeywordCode): void => {
    const name = String(gen.scopeValue('func', { ref: stop }));
    // The names that Ajv gives to its variables.
    gen.code(`if (errors > ${MAX_ERRORS}) ${name}()`);
  };
  ajv.addKeyword({ keyword: BOUND, code: code as unknown as CodeKeywordDefinition['code'] });
}

/** Keywords that look at every key, whatever the schema names. */
const ALL_KEYS = [
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
] as const;

const TEXT_KEYWORDS = ['pattern', 'minLength', 'maxLength', 'format'] as const;

function stepsPerKey(node: SchemaNode): number {
  return (
    ALL_KEYS.filter((keyword) => keyword in node).length + namedChildren(node, 'patternProperties').length
  );
}

function readsTexts(node: SchemaNode): boolean {
  return TEXT_KEYWORDS.some((keyword) => keyword in node);
}

/** Whether a node makes Ajv go through a text or through all keys of an object. */
export function readsAll(node: SchemaNode): boolean {
  return stepsPerKey(node) > 0 || readsTexts(node);
}

/**
 * Makes {@link REFERENCE} validate what it refers to. In a long check, what is known of an object is remembered: alternatives that refer to
 * the same definitions would ask the same of its members again, twice as often with every level.
 */
export function useReferences(
  ajv: Ajv2020,
  budget: CheckBudget,
  compileTarget: (ref: string) => Validate,
): void {
  const compile = (ref: string): Validate => {
    let target: Validate | undefined;
    const validate: Validate = (data, at) => {
      target ??= compileTarget(ref);
      const known = isNode(data) || Array.isArray(data) ? budget.knownOf(target) : undefined;
      let errors = known?.get(data);
      if (errors === undefined) {
        errors = target(data, at) === true ? NONE : (target.errors ?? NONE);
        // Of what is asked again, one error is enough.
        known?.set(data, errors.slice(0, 1));
      }
      validate.errors = errors;
      return errors.length === 0;
    };
    return validate;
  };
  const error = { message: 'is not valid' };
  // Its types do not say that a keyword may have null for errors.
  const definition = { keyword: REFERENCE, errors: 'full', error, compile } as FuncKeywordDefinition;
  ajv.addKeyword(definition);
}

const NONE: ErrorObject[] = [];
