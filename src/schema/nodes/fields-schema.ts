import type { StandardSchemaV1 } from '@standard-schema/spec';
import { isPromiseLike } from '../../base/maybe-promise.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { isNode } from './json-node.ts';
import { isStandardSchema } from './schema-types.ts';

/** The members of a field's schema that are used here. */
export interface Field {
  readonly '~standard': StandardSchemaV1.Props;
  /** Internals of Zod. */
  readonly _zod?: {
    readonly def?: { readonly type?: unknown };
    readonly optin?: unknown;
    readonly optout?: unknown;
  };
  readonly safeParseAsync?: (value: unknown) => Promise<unknown>;
}

type Fields = Readonly<Record<string, Field>>;
type Result = StandardSchemaV1.Result<unknown>;

/**
 * Schema for a raw shape such as `{ n: z.number() }`. It has the members of Zod's own objects that are used elsewhere (definition, shape,
 * `safeParseAsync`), so that its patterns are found and bounded like those of any other schema.
 */
export class FieldsSchema {
  readonly '~standard': StandardSchemaV1.Props;
  readonly shape: Fields;
  readonly _zod: {
    readonly def: { readonly type: 'object'; readonly shape: Fields };
    readonly constr: typeof FieldsSchema;
  };

  constructor({ shape }: { readonly shape: Fields }) {
    this.shape = shape;
    this._zod = { def: { type: 'object', shape }, constr: FieldsSchema };
    const isZod = Object.values(shape).every((field) => field._zod !== undefined);
    const validate = (value: unknown): Result | Promise<Result> =>
      validateFields(shape, value, (field, member) => field['~standard'].validate(member));
    this['~standard'] = { version: 1, vendor: isZod ? 'zod' : 'toolwright', validate };
  }

  /** As in Zod: `validate` runs synchronously first, and would run an asynchronous field twice. */
  async safeParseAsync(value: unknown): Promise<object> {
    const result = await validateFields(this.shape, value, async (field, member) =>
      field.safeParseAsync === undefined
        ? field['~standard'].validate(member)
        : fromZod((await field.safeParseAsync(member)) as ZodResult),
    );
    return result.issues === undefined
      ? { success: true, data: result.value }
      : { success: false, error: { issues: result.issues } };
  }

  /** As in Zod; there is no metadata. */
  meta(): undefined {
    return undefined;
  }

  /** The same without some fields. */
  without(names: readonly string[]): FieldsSchema {
    const kept = Object.entries(this.shape).filter(([name]) => !names.includes(name));
    return new FieldsSchema({ shape: Object.fromEntries(kept) });
  }
}

/** Converts a raw shape to a schema; anything else is returned unchanged. `{}` is a raw shape without fields. */
export function fromFields<TSchema>(schema: TSchema): TSchema {
  if (!isNode(schema) || isStandardSchema(schema) || Object.getPrototypeOf(schema) !== Object.prototype)
    return schema;
  if (!Object.values(schema).every(isStandardSchema)) return schema;
  // The type only covers schemas that authors write; this one is created only here.
  return new FieldsSchema({ shape: schema as unknown as Fields }) as TSchema;
}

/** Whether a schema was made by {@link fromFields}. */
export function isFieldsSchema(schema: unknown): schema is FieldsSchema {
  return schema instanceof FieldsSchema;
}

/** Whether a field is optional: in the input for the caller, in the output for the schema itself. */
export function isOptionalField(field: Field, side: 'input' | 'output'): boolean {
  const { _zod: zod } = field;
  if (zod !== undefined)
    return zod.def?.type === 'optional' || (side === 'input' ? zod.optin : zod.optout) !== undefined;
  try {
    const result = field['~standard'].validate(undefined);
    if (!isPromiseLike(result)) return result.issues === undefined;
    // Nothing awaits it, and an unhandled rejection ends the process.
    result.then(undefined, () => {});
  } catch {
    // The field requires a value.
  }
  return false;
}

type ZodResult =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly StandardSchemaV1.Issue[] } };

function fromZod(result: ZodResult): Result {
  return result.success ? { value: result.data } : { issues: result.error.issues };
}

function validateFields(
  shape: Fields,
  value: unknown,
  validate: (field: Field, member: unknown) => MaybePromise<Result>,
): Result | Promise<Result> {
  if (!isNode(value)) return { issues: [{ message: 'must be an object' }] };
  const names = Object.keys(shape);
  const results = names.map((name): MaybePromise<Result> => {
    try {
      return validate(shape[name] as Field, Object.hasOwn(value, name) ? value[name] : undefined);
    } catch (error) {
      // Reported together with the others, because one of them may be a promise that must be awaited.
      return Promise.reject(error);
    }
  });
  const isMissing = (name: string): boolean =>
    !Object.hasOwn(value, name) && !isOptionalField(shape[name] as Field, 'input');
  const join = (settled: readonly Result[]): Result => {
    const issues = settled.flatMap((result, index) => issuesOf(result, names[index] as string, isMissing));
    if (issues.length > 0) return { issues };
    // fromEntries defines members, so a key named __proto__ cannot reach the prototype.
    const members = settled.map((result, index) => [names[index], (result as { value: unknown }).value]);
    return {
      value: Object.fromEntries(
        members.filter(([name, member]) => member !== undefined || Object.hasOwn(value, name as string)),
      ),
    };
  };
  if (!results.some(isPromiseLike)) return join(results as readonly Result[]);
  return Promise.all(results.map((result) => Promise.resolve(result))).then(join);
}

function issuesOf(
  result: Result,
  name: string,
  isMissing: (name: string) => boolean,
): readonly StandardSchemaV1.Issue[] {
  if (result.issues !== undefined)
    return result.issues.map((issue) => ({
      // Zod and Valibot have the issues of a union's alternatives there.
      ...issue,
      // In ArkType it is a getter, and the path is an instance of an array subclass.
      message: issue.message,
      path: [name, ...Array.from(issue.path ?? [])],
    }));
  return isMissing(name) ? [{ message: 'is required', path: [name] }] : [];
}
