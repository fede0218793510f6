type Values = Readonly<Record<string, unknown>>;

/**
 * A body in the arguments of a tool: as a whole, where the tool has an argument for that, or each property in an argument of its own.
 * `taken` are the names that parameters have; `called` is what Swagger 2.0 calls the body.
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
