import { MissingPeerError } from '../errors/errors.ts';
import { parseAjvPath } from './ajv-path.ts';
import type { RawIssue } from './explain.ts';
import { isNode, mapSubschemas, namedChildren } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';
import type { JsonSchemaCompiler } from './json-schema-compiler.ts';
import { compilePattern } from './pattern.ts';

/** The two things taken from Ajv's packages; passed in, so that this module and its types load without them. */
export interface AjvModules {
  readonly Ajv2020: new (options: Record<string, unknown>) => AjvLike;
  readonly addFormats: (ajv: never) => unknown;
}

interface AjvLike {
  readonly formats?: Readonly<Record<string, unknown>>;
  addFormat?(name: string, validate: (text: string) => boolean): unknown;
  addKeyword?(definition: object): unknown;
  readonly errors?: readonly AjvError[] | null | undefined;
  validateSchema(schema: object): unknown;
  errorsText(errors?: readonly never[] | null): string;
  compile(schema: object): ((value: unknown) => unknown) & { errors?: readonly AjvError[] | null };
}

interface AjvError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message?: string;
  readonly params: object;
}

/** Makes an expression of a pattern. */
export type CompilePattern = (pattern: string) => { test(text: string): boolean };

/** How {@link createAjvCompiler} makes checks. */
export interface AjvCompilerOptions {
  readonly compilePattern?: CompilePattern;
  /** Alternatives within alternatives take longer with every level. With this, a check that would take very long is given up, and the value taken. */
  readonly givesUp?: boolean;
}

/** A compiler on top of Ajv in its 2020-12 dialect. */
export function createAjvCompiler(
  { Ajv2020: Ajv, addFormats }: AjvModules,
  { compilePattern: compile = compilePattern, givesUp = false }: AjvCompilerOptions = {},
): JsonSchemaCompiler {
  const options = {
    // Every issue is reported, not only the first.
    allErrors: true,
    // Unknown keywords are annotations in 2020-12; Ajv's strict mode would refuse documents that are valid.
    strict: false,
    // A field named `toString` is there only if the caller sent it.
    ownProperties: true,
    // Without escapes in paths, see `parseAjvPath`.
    jsPropertySyntax: true,
    logger: false,
    code: { regExp: Object.assign((pattern: string) => compile(pattern), { code: 'new RegExp' }) },
  };
  let meta: AjvLike | undefined;
  return {
    findProblem: (schema) => {
      meta ??= new Ajv(options);
      return meta.validateSchema(schema) === true
        ? undefined
        : meta.errorsText(meta.errors as readonly never[]);
    },
    compile: (schema) => {
      // One Ajv per document: Ajv keeps what it compiles (`$ref: '#'` needs that), two tools may use one `$id`, and an
      // unregistered tool must be collectable.
      const ajv = new Ajv({ ...options, meta: false, validateSchema: false });
      addFormats(ajv as never);
      boundUrls(ajv);
      const written = toAjvSchema(schema) as SchemaNode;
      const steps = givesUp && isNode(written['$defs']) ? new Steps(ajv) : undefined;
      const validate = ajv.compile(steps === undefined ? written : steps.countIn(written));
      const check = (value: unknown): readonly RawIssue[] =>
        validate(value) === true ? [] : toIssues(validate.errors ?? [], value);
      return steps === undefined ? check : (value) => steps.within(value, check);
    },
  };
}

const STEP = 'toolwright-step';
const MIN_STEPS = 20_000;
const STEPS_PER_VALUE = 100;

/** Counts how often definitions are gone through, and ends a check where that is out of all proportion to its value. */
class Steps {
  readonly #tooMany = new Error('too many steps');
  #left = 0;

  constructor(ajv: AjvLike) {
    const validate = (): boolean => {
      this.#left -= 1;
      if (this.#left < 0) throw this.#tooMany;
      return true;
    };
    ajv.addKeyword?.({ keyword: STEP, schema: false, errors: false, validate });
  }

  /** The schema with a step in each of its definitions. */
  countIn(schema: SchemaNode): SchemaNode {
    const definitions = namedChildren(schema, '$defs').map(([name, definition]) => [
      name,
      isNode(definition) ? { ...definition, [STEP]: true } : definition,
    ]);
    return { ...schema, $defs: Object.fromEntries(definitions) as SchemaNode };
  }

  within(value: unknown, check: (value: unknown) => readonly RawIssue[]): readonly RawIssue[] {
    this.#left = MIN_STEPS + STEPS_PER_VALUE * countValues(value);
    try {
      return check(value);
    } catch (error) {
      if (error !== this.#tooMany) throw error;
      return [];
    }
  }
}

function countValues(value: unknown): number {
  // The list grows while it is walked.
  const waiting: unknown[] = [value];
  for (const each of waiting)
    if (typeof each === 'object' && each !== null)
      for (const member of Object.values(each)) waiting.push(member);
  return waiting.length;
}

/** The expression behind `url` takes a second for 20,000 characters. Nobody serves addresses that are longer than this. */
const MAX_URL = 2500;

function boundUrls(ajv: AjvLike): void {
  const expression = ajv.formats?.['url'];
  if (expression instanceof RegExp)
    ajv.addFormat?.('url', (text) => text.length <= MAX_URL && expression.test(text));
}

const AJV_PACKAGES = ['ajv', 'ajv-formats'] as const;

/**
 * Ajv, loaded when the first JSON Schema is met, so that nobody who uses a schema library has to install it. Where packages
 * cannot be loaded by name at run time (bundles, other runtimes), pass `ajvCompiler()` of `toolwright/json-schema` instead.
 */
export function loadAjvCompiler(): JsonSchemaCompiler {
  const nodeModule = globalThis.process?.getBuiltinModule?.('node:module');
  if (nodeModule === undefined) {
    throw new MissingPeerError(
      'Raw JSON Schema on this runtime needs `jsonSchemaCompiler: ajvCompiler()` from "toolwright/json-schema", which',
      AJV_PACKAGES,
    );
  }
  const require = nodeModule.createRequire(import.meta.url);
  let modules: AjvModules;
  try {
    const { Ajv2020 } = require('ajv/dist/2020.js') as Pick<AjvModules, 'Ajv2020'>;
    const { default: addFormats } = require('ajv-formats') as { default: AjvModules['addFormats'] };
    modules = { Ajv2020, addFormats };
  } catch (cause) {
    throw new MissingPeerError('Raw JSON Schema', AJV_PACKAGES, { cause });
  }
  return createAjvCompiler(modules);
}

/** Keywords that Ajv gives a meaning of its own, or chokes on, although the dialect does not know them. */
const FOREIGN_KEYWORDS: ReadonlySet<string> = new Set(['$schema', 'id', 'nullable', '$async']);

/** The schema without what would make Ajv enforce something else than 2020-12 says. */
function toAjvSchema(schema: unknown): unknown {
  if (!isNode(schema)) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !FOREIGN_KEYWORDS.has(keyword));
  return mapSubschemas(Object.fromEntries(kept), toAjvSchema);
}

/** Characters of all paths that are put together. Ajv leaves them in pieces, and thousands may begin with the same key of megabytes. */
const MAX_PATH_CHARS = 8_388_608;

function toIssues(errors: readonly AjvError[], value: unknown): RawIssue[] {
  const issues: RawIssue[] = [];
  let left = MAX_PATH_CHARS;
  let hidden = 0;
  for (const error of errors) {
    const { length } = error.instancePath;
    if (length > left) hidden += 1;
    else {
      left -= length;
      issues.push(toIssue(error, value));
    }
  }
  if (hidden === 0) return issues;
  return [
    ...issues,
    { path: [], message: `has ${hidden} more problems, below keys that are too long to be shown` },
  ];
}

function toIssue(error: AjvError, value: unknown): RawIssue {
  const path = parseAjvPath(error.instancePath, value);
  const missing = (error.params as { missingProperty?: unknown }).missingProperty;
  if (error.keyword === 'required' && typeof missing === 'string')
    return { path: [...path, missing], message: 'is required' };
  return { path, message: error.message ?? `does not satisfy "${error.keyword}"` };
}
