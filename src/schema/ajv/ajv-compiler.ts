import type { Ajv2020, ErrorObject, Options } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';
import { mapMembers } from '../../base/json/map-members.ts';
import { DefinitionError } from '../../errors/errors.ts';
import { parseAjvPath } from './ajv-path.ts';
import { useErrorBound, useLinearKeywords, useReferences, useSteps } from './ajv-keywords.ts';
import { CheckBudget } from './check-budget.ts';
import type { RawIssue } from '../issues/explain.ts';
import type { SchemaNode } from '../nodes/json-node.ts';
import type { JsonSchemaCompiler } from '../issues/json-schema-compiler.ts';
import { compilePattern } from '../expressions/pattern.ts';
import { prepareDocument } from './prepare-document.ts';
import { hasWideIntegers } from '../nodes/wide-integers.ts';
import { boundExpression } from '../expressions/bounded-expression.ts';

/** The two packages of Ajv, passed in: most servers have no raw JSON Schema and start without loading them. */
export interface AjvModules {
  readonly Ajv2020: typeof Ajv2020;
  readonly addFormats: FormatsPlugin;
}

/** Compiles a pattern to a regular expression. */
export type CompilePattern = (pattern: string) => RegExp;

/** Options of {@link createAjvCompiler}. */
export interface AjvCompilerOptions {
  readonly compilePattern?: CompilePattern;
  /** Whether bigints are valid integers; see `ExactIntegers`. */
  readonly exactIntegers?: boolean;
}

/** Creates a JSON Schema compiler that uses Ajv with the 2020-12 dialect. */
export function createAjvCompiler(
  { Ajv2020: Ajv, addFormats }: AjvModules,
  { compilePattern: compile = compilePattern, exactIntegers = false }: AjvCompilerOptions = {},
): JsonSchemaCompiler {
  const options = {
    // Report all issues, not only the first.
    allErrors: true,
    // Unknown keywords are annotations in 2020-12; Ajv's strict mode would reject valid documents.
    strict: false,
    // A field named `toString` is present only if the caller sent it.
    ownProperties: true,
    // Without escapes in paths, see `parseAjvPath`.
    // defence: paths-without-escapes
    jsPropertySyntax: true,
    logger: false,
  } as const satisfies Options;
  let meta: Ajv2020 | undefined;
  return {
    findProblem: (schema) => {
      meta ??= new Ajv(options);
      return meta.validateSchema(schema) === true ? undefined : meta.errorsText(meta.errors);
    },
    compile: (schema, limits) => {
      // One Ajv per document: Ajv keeps compiled schemas (`$ref: '#'` needs that), two tools may use one `$id`, and an unregistered tool
      // must be collectable.
      const regExp = (pattern: string): RegExp => boundExpression(compile(pattern), limits);
      const code = { regExp: Object.assign(regExp, { code: 'new RegExp' }) };
      const make = (allErrors: boolean): Check => {
        const ajv = new Ajv({ ...options, allErrors, code, meta: false, validateSchema: false });
        addFormats(ajv);
        return createCheck(ajv, schema, exactIntegers && hasWideIntegers(schema));
      };
      const check = make(true);
      let quick: Check | undefined;
      return (value, stopsEarly) => {
        const found = stopsEarly === true ? undefined : check(value);
        if (found !== undefined) return found;
        quick ??= make(false);
        // Only a check that stops at the first error finds out whether another alternative is valid.
        const issues = quick(value) ?? [TOO_EXPENSIVE];
        return stopsEarly === true || issues.length === 0 ? issues : [...issues, MORE];
      };
    },
  };
}

/** Returns undefined if the check was stopped because it found too many errors. */
type Check = (value: unknown) => readonly RawIssue[] | undefined;

const MORE: RawIssue = { path: [], message: 'has more problems that are not listed' };

function createCheck(ajv: Ajv2020, schema: SchemaNode, isExact: boolean): Check {
  boundUrls(ajv);
  const budget = new CheckBudget();
  // defence: sets-of-values
  useLinearKeywords(ajv, budget);
  useSteps(ajv, budget);
  // defence: bound-of-schema-errors
  useErrorBound(ajv, budget);
  const { root, resolve } = prepareDocument(schema, isExact);
  // Ajv compiles each object once. A definition is compiled on first use.
  useReferences(ajv, budget, (ref) => ajv.compile(resolve(ref) as object));
  const validate = ajv.compile(root);
  const check = (value: unknown): readonly RawIssue[] =>
    validate(isExact ? toNumbers(value) : value) === true ? [] : toIssues(validate.errors ?? [], value);
  return (value) => {
    const issues = budget.run(value, check);
    // defence: refusal-of-what-is-not-checked
    if (issues === 'exhausted') return [TOO_EXPENSIVE];
    return issues === 'stopped' ? undefined : issues;
  };
}

/** Ajv does not support bigint. Ranges are checked where integers are parsed, see `ExactIntegers`. */
function toNumbers(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : mapMembers(value, toNumbers);
}

/** Issue of a value whose check was stopped: it is rejected. */
const TOO_EXPENSIVE: RawIssue = {
  path: [],
  message:
    'takes too many steps to validate, because its schema nests alternatives. Nest it less deeply, or send fewer elements',
};

/** Ajv's expression for `url` takes a second for 20,000 characters. Longer URLs than this are rejected. */
const MAX_URL = 2500;

// defence: bound-of-urls
function boundUrls(ajv: Ajv2020): void {
  const expression = ajv.formats['url'];
  if (expression instanceof RegExp)
    ajv.addFormat('url', (text: string) => text.length <= MAX_URL && expression.test(text));
}

/**
 * Loads Ajv by name, synchronously, because a raw JSON Schema is checked at registration. Bundlers do not see such an import, and other
 * runtimes may not support it; `ajvCompiler()` of `toolwright/json-schema` imports Ajv statically.
 */
export function loadAjvCompiler(): JsonSchemaCompiler {
  return createAjvCompiler(requireAjv());
}

function requireAjv(): AjvModules {
  try {
    const require = globalThis.process.getBuiltinModule('node:module').createRequire(import.meta.url);
    const { Ajv2020 } = require('ajv/dist/2020.js') as Pick<AjvModules, 'Ajv2020'>;
    const { default: addFormats } = require('ajv-formats') as { readonly default: FormatsPlugin };
    return { Ajv2020, addFormats };
  } catch (cause) {
    throw new DefinitionError(
      'Ajv, which checks raw JSON Schema, cannot be loaded by name in a bundle or on this runtime. Pass `jsonSchemaCompiler: ajvCompiler()` from "toolwright/json-schema".',
      { cause, option: 'jsonSchemaCompiler' },
    );
  }
}

/**
 * Maximum number of characters of all paths that are joined. Ajv keeps paths in pieces, and thousands may begin with the same key of
 * megabytes.
 */
const MAX_PATH_CHARS = 8_388_608;

/** Converts the errors of Ajv. Alternatives often report the same error; each is kept once. */
function toIssues(errors: readonly ErrorObject[], value: unknown): RawIssue[] {
  const issues = new Map<string, RawIssue>();
  let left = MAX_PATH_CHARS;
  let hidden = 0;
  for (const error of errors) {
    const { length } = error.instancePath;
    if (length > left) {
      hidden += 1;
      continue;
    }
    left -= length;
    const key = `${error.instancePath} ${error.message}`;
    if (!issues.has(key)) issues.set(key, toIssue(error, value));
  }
  const found = [...issues.values()];
  if (hidden === 0) return found;
  return [
    ...found,
    { path: [], message: `has ${hidden} more problems, below keys that are too long to be shown` },
  ];
}

function toIssue(error: ErrorObject, value: unknown): RawIssue {
  const path = parseAjvPath(error.instancePath, value);
  const missing = (error.params as { missingProperty?: unknown }).missingProperty;
  if (error.keyword === 'required' && typeof missing === 'string')
    return { path: [...path, missing], message: 'is required' };
  return { path, message: error.message ?? `does not satisfy "${error.keyword}"` };
}
