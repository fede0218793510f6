import type { Operation, Parameter } from '../../../../src/openapi/model/operation.ts';

/** An operation of which a test says only what matters to it. */
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

/** A parameter of which a test says only what matters to it. */
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
