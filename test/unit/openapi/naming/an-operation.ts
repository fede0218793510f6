import type { Operation, Parameter } from '../../../../src/openapi/model/operation.ts';

/** An operation with defaults for everything that a test does not set. */
export function anOperation(given: Partial<Operation> = {}): Operation {
  const { method = 'GET', path = '/pets' } = given;
  return {
    key: `${method} ${path}`,
    method,
    path,
    operationId: undefined,
    summary: undefined,
    description: undefined,
    deprecated: false,
    tags: [],
    parameters: [],
    body: undefined,
    responses: [],
    servers: [],
    security: undefined,
    statuses: [],
    extensions: {},
    ...given,
  };
}

/** A parameter with defaults for everything that a test does not set. */
export function aParameter(given: Partial<Parameter> & Pick<Parameter, 'name' | 'in'>): Parameter {
  return {
    style: 'simple',
    explode: false,
    allowReserved: false,
    description: undefined,
    required: false,
    deprecated: false,
    contentType: undefined,
    schema: undefined,
    example: undefined,
    spansSegments: false,
    ...given,
  };
}
