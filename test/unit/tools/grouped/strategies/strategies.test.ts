import { expect, test } from 'vitest';
import { DEFAULT_STRATEGIES } from '../../../../../src/tools/grouped/strategies/strategies.ts';
import { createAction, objectOf } from './actions.ts';

test('the default strategies work together on the same actions', () => {
  const {
    schemaUtils,
    schemaGenerator,
    descriptionGenerator,
    toonDescriptionGenerator,
    annotationAggregator,
  } = DEFAULT_STRATEGIES;
  const actions = [
    createAction('get', { inputSchema: objectOf({ id: { type: 'string' } }), readOnly: true }),
  ];
  const { getRequiredFields } = schemaUtils;
  const source = {
    actions,
    toolName: 't',
    description: 'Gets',
    hasGroup: false,
    discriminator: 'do',
    getRequiredFields,
  };
  expect(schemaGenerator.generateInputSchema(source)).toMatchObject({ required: ['do'] });
  expect(schemaGenerator.generateOutputSchema(actions)).toBeUndefined();
  expect(descriptionGenerator(source)).toBe("Gets. Actions: get\n\nWorkflow:\n- 'get': Requires: id");
  expect(toonDescriptionGenerator(source)).toContain('get,"",id,false');
  expect(annotationAggregator(actions)).toMatchObject({ readOnlyHint: true });
});
