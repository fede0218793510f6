type Values = Readonly<Record<string, unknown>>;

/**
 * A body as arguments of a tool: as a whole, if the tool has an argument for it, or one argument per property. `taken` are the names of
 * parameters; `called` is the name of the body in Swagger 2.0.
 */
export function toBodyArguments(
  body: unknown,
  inputSchema: Values,
  { taken, called }: { readonly taken: ReadonlySet<string>; readonly called?: string | undefined },
): Values {
  const properties = (inputSchema['properties'] ?? {}) as Values;
  const whole = [called ?? 'requestBody', 'requestBody', 'body', 'request_body'].find(
    (name) => Object.hasOwn(properties, name) && !taken.has(name),
  );
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const hasIt = isObject && whole !== undefined && Object.hasOwn(body, whole);
  if (!isObject || (whole !== undefined && !hasIt)) return { [whole ?? 'body']: body };
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const safe = name.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').replaceAll(/^_+|_+$/g, '');
      const names = [`body_${name}`, ...(taken.has(name) ? [] : [name]), safe];
      return [names.find((each) => Object.hasOwn(properties, each)) ?? name, value];
    }),
  );
}
