import { aggregateAnnotations } from './annotation-aggregator.ts';
import { generateDescription } from './description-generator.ts';
import { compileMiddleware } from './middleware-compiler.ts';
import { generateInputSchema, generateOutputSchema } from './schema-generator.ts';
import { getFields, getRequiredFields } from './schema-utils.ts';
import { generateToonDescription, toActionTable } from './toon-description-generator.ts';

/** The schemas of a grouped tool: one for the input and one for the output of all its actions. */
export const SchemaGenerator: {
  readonly generateInputSchema: typeof generateInputSchema;
  readonly generateOutputSchema: typeof generateOutputSchema;
} = Object.freeze({ generateInputSchema, generateOutputSchema });

/** The description of a grouped tool: a summary, a line per action, examples. */
export const DescriptionGenerator: { readonly generateDescription: typeof generateDescription } =
  Object.freeze({
    generateDescription,
  });

/** The description of a grouped tool in few tokens: a summary, and the actions as a TOON table. */
export const ToonDescriptionGenerator: {
  readonly generateToonDescription: typeof generateToonDescription;
  readonly toActionTable: typeof toActionTable;
} = Object.freeze({ generateToonDescription, toActionTable });

/** The annotations of a grouped tool, on the careful side. */
export const AnnotationAggregator: { readonly aggregateAnnotations: typeof aggregateAnnotations } =
  Object.freeze({ aggregateAnnotations });

/** The middleware of each action as one function. */
export const MiddlewareCompiler: { readonly compileMiddleware: typeof compileMiddleware } = Object.freeze({
  compileMiddleware,
});

/** The fields of an action, by its input schema. */
export const SchemaUtils: {
  readonly getRequiredFields: typeof getRequiredFields;
  readonly getFields: typeof getFields;
} = Object.freeze({ getRequiredFields, getFields });

/** The computations behind a grouped tool. Each is a pure function and can be replaced on its own. */
export interface GroupedToolStrategies {
  readonly schemaGenerator: typeof SchemaGenerator;
  readonly descriptionGenerator: typeof generateDescription;
  readonly toonDescriptionGenerator: typeof generateToonDescription;
  readonly annotationAggregator: typeof aggregateAnnotations;
  readonly middlewareCompiler: typeof compileMiddleware;
  readonly schemaUtils: typeof SchemaUtils;
}

/** The computations as they are unless replaced. */
export const DEFAULT_STRATEGIES: GroupedToolStrategies = Object.freeze({
  schemaGenerator: SchemaGenerator,
  descriptionGenerator: DescriptionGenerator.generateDescription,
  toonDescriptionGenerator: ToonDescriptionGenerator.generateToonDescription,
  annotationAggregator: AnnotationAggregator.aggregateAnnotations,
  middlewareCompiler: MiddlewareCompiler.compileMiddleware,
  schemaUtils: SchemaUtils,
});
