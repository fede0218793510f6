/**
 * Where a body can have several media types, some arguments exclude others. The arguments of each choice, read from what a tool says when
 * it gets all of them: `The arguments "a", "b" cannot be combined in one body: text/plain takes "a"; image/png takes "b".`
 */
export function alternativesOf(
  said: string,
  args: Readonly<Record<string, unknown>>,
): readonly Readonly<Record<string, unknown>>[] {
  const [, all, choices] = /^The arguments (.+) cannot be combined in one body: (.+)\.$/s.exec(said) ?? [];
  if (all === undefined || choices === undefined) return [];
  const exclusive = new Set(namesIn(all));
  return choices.split('; ').map((choice) => {
    const taken = new Set(namesIn(choice));
    return Object.fromEntries(
      Object.entries(args).filter(([name]) => taken.has(name) || !exclusive.has(name)),
    );
  });
}

function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
}
