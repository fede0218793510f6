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

/** A compiled schema or keyword. If it sets no errors, Ajv creates one from the keyword's message. */
type Validate = Pick<ValidateFunction, 'errors'> & ((...args: Parameters<ValidateFunction>) => boolean);

/** Keyword that counts a step; see `prepareDocument`. */
export const STEP = 'toolwright-step';
/** Keyword that stops a check with too many errors; see {@link useErrorBound}. */
export const BOUND = 'toolwright-bound';
/** Keyword that replaces `$ref`; see {@link useReferences}. */
export const REFERENCE = 'toolwright-ref';
/** A keyword whose errors Ajv creates: it adds one in constant time, but copies all errors when a function returns one. */
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

/**
 * Replaces Ajv's `uniqueItems` and `enum` with linear checks: Ajv compares each element with every other and with every entry of an enum.
 */
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

/** Defines {@link STEP}: it counts the steps that the schema beside it takes. */
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

/**
 * The part of Ajv's code generator that {@link useErrorBound} needs. Its own types require code created by Ajv, which is loaded by name.
 */
interface KeywordCode {
  readonly gen: {
    scopeValue(prefix: string, value: { readonly ref: unknown }): { toString(): string };
    code(text: string): unknown;
  };
}

/**
 * Defines {@link BOUND}: it limits the number of errors. Ajv collects all of them, and copies them for each reference that it follows: a
 * request of a few kilobytes could make it collect millions.
 */
export function useErrorBound(ajv: Ajv2020, budget: CheckBudget): void {
  const stop = (): void => budget.stop();
  const code = ({ gen }: KeywordCode): void => {
    const name = String(gen.scopeValue('func', { ref: stop }));
    // Names of Ajv's own variables.
    gen.code(`if (errors > ${MAX_ERRORS}) ${name}()`);
  };
  ajv.addKeyword({ keyword: BOUND, code: code as unknown as CodeKeywordDefinition['code'] });
}

/** Keywords that visit every key of an object. */
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

/** Whether a node makes Ajv go through a whole string or all keys of an object. */
export function readsAll(node: SchemaNode): boolean {
  return stepsPerKey(node) > 0 || readsTexts(node);
}

/**
 * Defines {@link REFERENCE}: it validates the target of a reference. A long check caches the results per object: alternatives that refer to
 * the same definitions would otherwise check the same members again, twice as often with every level.
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
        // For a repeated check, one error is enough.
        known?.set(data, errors.slice(0, 1));
      }
      validate.errors = errors;
      return errors.length === 0;
    };
    return validate;
  };
  const error = { message: 'is not valid' };
  // Ajv's types do not allow null for the errors of a keyword.
  const definition = { keyword: REFERENCE, errors: 'full', error, compile } as FuncKeywordDefinition;
  ajv.addKeyword(definition);
}

const NONE: ErrorObject[] = [];
