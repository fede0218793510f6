/** Tries to register patterns that take very long, and serves the accepted ones: bounded patterns, formats, templates. Over HTTP. */
import { readFileSync } from 'node:fs';
import { createServer, ToolRegistry } from 'toolwright';
import { serveHttp } from 'toolwright/http';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';

const { EVERY = '1' } = process.env;
const evil = JSON.parse(readFileSync(new URL('../../fixtures/patterns/evil.json', import.meta.url), 'utf8'));
const handler = () => 'fine';
const description = 'Takes a text.';

/** The reason for rejecting a schema; undefined if it is accepted. */
function refusalOf(inputSchema) {
  try {
    new ToolRegistry().register({ name: 'tried', description, inputSchema, handler });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

const ways = {
  zod: (pattern, flags, max) => {
    const text = z.string().regex(new RegExp(pattern, flags));
    return z.object({ text: max === undefined ? text : text.max(max) });
  },
  json: (pattern, _flags, maxLength) => ({
    type: 'object',
    properties: { text: { type: 'string', pattern, ...(maxLength === undefined ? {} : { maxLength }) } },
  }),
  keys: (pattern, _flags, maxLength) => ({
    type: 'object',
    patternProperties: { [pattern]: { type: 'string' } },
    ...(maxLength === undefined ? {} : { propertyNames: { maxLength } }),
  }),
};

const taken = [];
const refused = [];
const tools = [];
for (const [index, { pattern, flags }] of evil.entries()) {
  if (index % Number(EVERY) !== 0) continue;
  for (const [way, schemaOf] of Object.entries(ways)) {
    // JSON Schema has no flags.
    if (way !== 'zod' && /[ims]/.test(flags)) continue;
    const refusal = refusalOf(schemaOf(pattern, flags));
    (refusal === undefined ? taken : refused).push(`${way} ${pattern}`);
    // The bound that the message recommends.
    const bound = Number(/limit the strings to (\d+) characters/.exec(refusal ?? '')?.[1] ?? 10);
    tools.push({
      name: `${way}_${index}`,
      description,
      inputSchema: schemaOf(pattern, flags, bound),
      handler,
    });
  }
}

const unsuspected = {
  spaces: /(?:[A-Z]|\s{2,}\\n)+/,
  others: /(?:\d|\W{2,}\\.){1,20}/,
  lines: /^(?:\\.|[^\\"])*"$/m,
  ignoring_case: /(?:[A-Z]|\s{2,}\\n)+/iu,
  lazy: /(?:[a-z]|\s{2,}?(?=\S)x)+/s,
  look_behind: /(?<=b+)c/,
  reference: /^(?:(\w)\1|-)+$/,
};
for (const [name, expression] of Object.entries(unsuspected)) {
  const text = z.string().regex(expression);
  tools.push({ name: `unsuspected_${name}`, description, inputSchema: z.object({ text }), handler });
  tools.push({
    name: `returned_${name}`,
    description,
    inputSchema: z.object({ text: z.string() }),
    outputSchema: z.object({ text }),
    handler: ({ input }) => ({ text: input.text }),
  });
}

const cubic = /^\d*\d*\d*$/;
const short = z
  .string()
  .max(12)
  .regex(/^(\d+\.?)*$/);
const many = {
  zod: z.object({ list: z.array(z.string().regex(cubic)) }),
  json: {
    type: 'object',
    properties: { list: { type: 'array', items: { type: 'string', pattern: cubic.source } } },
  },
  valibot: toStandardJsonSchema(v.object({ list: v.array(v.pipe(v.string(), v.regex(cubic))) })),
  arktype: type({ list: type(cubic).array() }),
  short: z.object({ list: z.array(short) }),
  hidden: z.object({ list: z.array(z.string().transform(String).pipe(z.string().regex(cubic))) }),
  keys: { type: 'object', patternProperties: { [cubic.source]: { type: 'number' } } },
  linear: z.object({ text: z.string().regex(/[a-z]{120}!/) }),
  alternatives: z.object({
    text: z.union(
      Array.from({ length: 40 }, (_, index) => z.string().regex(new RegExp(`[a-z]{5}${index}!`))),
    ),
  }),
};
for (const [name, inputSchema] of Object.entries(many))
  tools.push({ name: `many_${name}`, description, inputSchema, handler });

const formats = ['date', 'time', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'url'];
formats.push('uri-reference', 'uri-template', 'json-pointer', 'regex', 'uuid', 'byte', 'iso-date-time');
for (const format of formats) {
  const properties = { text: { type: 'string', format } };
  tools.push({ name: `ajv_${format}`, description, inputSchema: { type: 'object', properties }, handler });
}
const zodFormats = { email: z.email(), url: z.url(), uuid: z.uuid(), emoji: z.emoji(), ipv6: z.ipv6() };
Object.assign(zodFormats, {
  datetime: z.iso.datetime(),
  duration: z.iso.duration(),
  base64: z.base64(),
  jwt: z.jwt(),
});
for (const [format, text] of Object.entries(zodFormats))
  tools.push({ name: `zod_${format}`, description, inputSchema: z.object({ text }), handler });
tools.push({
  name: 'number',
  description,
  repairArguments: true,
  inputSchema: z.object({ text: z.number() }),
  handler,
});

const templates = ['x://{/path*}', 'x://{?query*}', 'x://{a}{b}', 'x://{+a}/{+b}', 'x://{+a,b}', 'x://{a*}'];
const contentProvider = () => 'read';
const takenTemplates = templates.filter((uriTemplate) => {
  try {
    createServer({ name: 't', version: '1', resources: [{ uriTemplate, name: 'r', contentProvider }] });
    return true;
  } catch {
    return false;
  }
});

const resources = [
  'a://{a}/{b}/{c}/{d}/{e}',
  'b://{a}-{b}-{c}-{d}',
  'c://{a}/{+rest}/{z}',
  'd://{a,b,c}{/d}{?q,r}',
].map((uriTemplate) => ({
  uriTemplate,
  name: uriTemplate,
  contentProvider,
}));
const server = createServer({ name: 'patterned', version: '1.0.0', tools, resources, rateLimit: false });
const { port } = await serveHttp(server, { port: 0 });
process.on('message', (message) => {
  if (message === 'loaded')
    process.send({ taken, refused: refused.length, takenTemplates, names: tools.map(({ name }) => name) });
});
process.send({ port });
