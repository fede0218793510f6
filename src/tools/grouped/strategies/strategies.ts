import { aggregateAnnotations } from './annotation-aggregator.ts';
import { generateDescription } from './description-generator.ts';
import { compileMiddleware } from './middleware-compiler.ts';
import { generateInputSchema, generateOutputSchema } from './schema-generator.ts';
import { getFields, getRequiredFields } from './schema-utils.ts';
import { generateToonDescription, toActionTable } from './toon-description-generator.ts';

/** Generates the schemas of a grouped tool: one for the input and one for the output of all its actions. */
export const SchemaGenerator: {
  readonly generateInputSchema: typeof generateInputSchema;
  readonly generateOutputSchema: typeof generateOutputSchema;
} = Object.freeze({ generateInputSchema, generateOutputSchema });

/** Generates the description of a grouped tool: a summary, one line per action, examples. */
export const DescriptionGenerator: { readonly generateDescription: typeof generateDescription } =
  Object.freeze({
    generateDescription,
  });

/** Generates a description with fewer tokens: a summary, and the actions as a TOON table. */
export const ToonDescriptionGenerator: {
  readonly generateToonDescription: typeof generateToonDescription;
  readonly toActionTable: typeof toActionTable;
} = Object.freeze({ generateToonDescription, toActionTable });

/** Derives the annotations of a grouped tool from its actions. */
export const AnnotationAggregator: { readonly aggregateAnnotations: typeof aggregateAnnotations } =
  Object.freeze({ aggregateAnnotations });

/** Composes the middleware of each action into one function. */
export const MiddlewareCompiler: { readonly compileMiddleware: typeof compileMiddleware } = Object.freeze({
  compileMiddleware,
});

/** Reads the fields of an action from its input schema. */
export const SchemaUtils: {
  readonly getRequiredFields: typeof getRequiredFields;
  readonly getFields: typeof getFields;
} = Object.freeze({ getRequiredFields, getFields });

/** Functions that combine actions into a grouped tool. Each is pure and can be replaced on its own. */
export interface GroupedToolStrategies {
  readonly schemaGenerator: typeof SchemaGenerator;
  readonly descriptionGenerator: typeof generateDescription;
  readonly toonDescriptionGenerator: typeof generateToonDescription;
  readonly annotationAggregator: typeof aggregateAnnotations;
  readonly middlewareCompiler: typeof compileMiddleware;
  readonly schemaUtils: typeof SchemaUtils;
}

/** The default strategies. */
export const DEFAULT_STRATEGIES: GroupedToolStrategies = Object.freeze({
  schemaGenerator: SchemaGenerator,
  descriptionGenerator: DescriptionGenerator.generateDescription,
  toonDescriptionGenerator: ToonDescriptionGenerator.generateToonDescription,
  annotationAggregator: AnnotationAggregator.aggregateAnnotations,
  middlewareCompiler: MiddlewareCompiler.compileMiddleware,
  schemaUtils: SchemaUtils,
});
