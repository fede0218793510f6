import { aggregateAnnotations } from './annotation-aggregator.ts';
import { generateDescription } from './description-generator.ts';
import { compileMiddleware } from './middleware-compiler.ts';
import { generateInputSchema, generateOutputSchema } from './schema-generator.ts';
import { getFields, getRequiredFields } from './schema-utils.ts';
import { generateToonDescription } from './toon-description-generator.ts';

/** The computations behind a grouped tool. Each is a pure function and can be replaced on its own. */
export interface GroupedToolStrategies {
  readonly schemaGenerator: {
    readonly generateInputSchema: typeof generateInputSchema;
    readonly generateOutputSchema: typeof generateOutputSchema;
  };
  readonly descriptionGenerator: typeof generateDescription;
  readonly toonDescriptionGenerator: typeof generateToonDescription;
  readonly annotationAggregator: typeof aggregateAnnotations;
  readonly middlewareCompiler: typeof compileMiddleware;
  readonly schemaUtils: {
    readonly getRequiredFields: typeof getRequiredFields;
    readonly getFields: typeof getFields;
  };
}

/** The computations as they are unless replaced. */
export const DEFAULT_STRATEGIES: GroupedToolStrategies = {
  schemaGenerator: { generateInputSchema, generateOutputSchema },
  descriptionGenerator: generateDescription,
  toonDescriptionGenerator: generateToonDescription,
  annotationAggregator: aggregateAnnotations,
  middlewareCompiler: compileMiddleware,
  schemaUtils: { getRequiredFields, getFields },
};
