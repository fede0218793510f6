/** The component schemas of the generated document. */

export const NOUNS = [
  'Account',
  'Address',
  'Agreement',
  'Budget',
  'Campaign',
  'Contract',
  'Customer',
  'Delivery',
  'Device',
  'Employee',
  'Invoice',
  'Location',
  'Machine',
  'Message',
  'Order',
  'Payment',
  'Product',
  'Project',
  'Refund',
  'Report',
  'Shipment',
  'Subscription',
  'Supplier',
  'Ticket',
  'Warehouse',
];

const ref = (name) => ({ $ref: `#/components/schemas/${name}` });
const text = (description, more = {}) => ({ type: 'string', description, ...more });
const object = (properties, required = []) => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
});
const parameter = (name, place, [description, schema]) => ({ name, in: place, description, schema });

/** Components for these resources. */
export function componentsOf(nouns) {
  const own = nouns.flatMap((noun) => [
    [`${noun}Input`, object(writable(noun), ['name', 'owner'])],
    [`${noun}Patch`, object(writable(noun))],
    [noun, { allOf: [ref('Resource'), ref(`${noun}Input`)], description: `A ${noun}, as it is kept.` }],
  ]);
  return {
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    parameters: PARAMETERS,
    responses: Object.fromEntries(
      ['BadRequest', 'NotFound'].map((name) => [
        name,
        { description: name, content: { 'application/json': { schema: ref('Problem') } } },
      ]),
    ),
    schemas: { ...SHARED, ...Object.fromEntries(own) },
  };
}

const PARAMETERS = {
  page: parameter('page', 'query', ['Which page.', { type: 'integer', minimum: 1, default: 1 }]),
  per_page: parameter('per_page', 'query', [
    'How many of them on one page.',
    { type: 'integer', minimum: 1, maximum: 100, default: 30 },
  ]),
  sort: parameter('sort', 'query', [
    'What they are sorted by.',
    { type: 'string', enum: ['created', 'updated', 'name'], default: 'created' },
  ]),
  direction: parameter('direction', 'query', ['Up or down.', { type: 'string', enum: ['asc', 'desc'] }]),
  expand: parameter('expand', 'query', [
    'What is shown in full instead of by its identifier.',
    { type: 'array', items: { type: 'string' }, maxItems: 10 },
  ]),
  trace: parameter('X-Trace-Id', 'header', ['Comes back in the answer.', { type: 'string', maxLength: 64 }]),
  idempotency: parameter('Idempotency-Key', 'header', [
    'The same key twice does the same thing once.',
    { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' },
  ]),
};

const SHARED = {
  Resource: object({
    id: { type: 'string', format: 'uuid', readOnly: true },
    created_at: { type: 'string', format: 'date-time', readOnly: true },
    updated_at: { type: 'string', format: 'date-time', readOnly: true, nullable: true },
  }),
  Versioned: object({
    version: { type: 'integer', minimum: 1, description: 'The version that is changed.' },
  }),
  Money: object(
    {
      amount: { type: 'integer', format: 'int64', description: 'In the smallest unit of the currency.' },
      currency: text('Three letters, as in ISO 4217.', { pattern: '^[A-Z]{3}$' }),
    },
    ['amount', 'currency'],
  ),
  PostalAddress: object({
    street: text('Street and number.'),
    city: text('The town.'),
    postal_code: text('As it is written there.', { maxLength: 16 }),
    country: text('Two letters, as in ISO 3166.', { minLength: 2, maxLength: 2 }),
    note: { type: 'string', nullable: true },
  }),
  Person: object({
    name: text('How they are called.'),
    email: text('Where they are reached.', { format: 'email' }),
    address: ref('PostalAddress'),
    manager: ref('Person'),
  }),
  Tag: object({ key: text('What it is.'), value: text('And how much.') }, ['key']),
  Comment: { allOf: [ref('Resource'), ref('CommentInput')] },
  CommentInput: object(
    {
      text: text('What is said.', { minLength: 1, maxLength: 10_000 }),
      mentions: { type: 'array', items: ref('Person') },
    },
    ['text'],
  ),
  Attachment: object({ id: text('Its identifier.'), url: text('Where it is.', { format: 'uri' }) }),
  Problem: object({ type: text('A URI.'), title: text('What is wrong.'), detail: text('And why.') }),
  Condition: {
    oneOf: [ref('TextCondition'), ref('AllCondition')],
    discriminator: { propertyName: 'kind', mapping: { text: '#/components/schemas/TextCondition' } },
  },
  TextCondition: object({ kind: text('text'), field: text('Where to look.'), contains: text('What for.') }, [
    'kind',
  ]),
  AllCondition: object({ kind: text('all'), all: { type: 'array', items: ref('Condition') } }, [
    'kind',
    'all',
  ]),
  SearchRequest: object(
    {
      where: ref('Condition'),
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
      cursor: text('From the last answer.'),
    },
    ['where'],
  ),
};

function writable(noun) {
  return {
    name: text(`What the ${noun} is called.`, { maxLength: 200 }),
    description: { type: 'string', nullable: true, description: `What there is to say of the ${noun}.` },
    state: text('Where it stands.', { enum: ['open', 'waiting', 'closed'], default: 'open' }),
    owner: ref('Person'),
    watchers: { type: 'array', items: ref('Person'), maxItems: 50 },
    price: ref('Money'),
    due_on: text('When it must be done.', { format: 'date' }),
    priority: { type: 'integer', minimum: 0, maximum: 5, default: 3 },
    tags: { type: 'array', items: ref('Tag') },
    ship_to: { allOf: [ref('PostalAddress')], description: 'Where it goes.' },
    settings: { type: 'object', additionalProperties: { type: 'string' }, description: 'Whatever you like.' },
    parent_id: { type: 'string', format: 'uuid', nullable: true },
  };
}
