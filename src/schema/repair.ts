import { isNode } from './json-node.ts';
import type { SchemaNode } from './json-node.ts';
import type { SchemaView } from './schema-view.ts';

/**
 * Undoes what models often do: a number, boolean, array or object sent as a JSON string. Only where the schema accepts no
 * string, and only if the text parses to a type that it does accept; everything else stays as it came.
 */
export function repairArguments(view: SchemaView, value: unknown): unknown {
  const visit = (node: SchemaNode, current: unknown): unknown => {
    const repaired = typeof current === 'string' ? repairText(current, view.acceptedTypes(node)) : current;
    if (Array.isArray(repaired)) {
      return (repaired as readonly unknown[]).map((element, index) => {
        const child = view.itemNode(node, index, repaired);
        return child === undefined ? element : visit(child, element);
      });
    }
    if (!isNode(repaired)) return repaired;
    return Object.fromEntries(
      Object.entries(repaired).map(([key, member]) => {
        const child = view.childNode(node, key, repaired);
        return [key, child === undefined ? member : visit(child, member)];
      }),
    );
  };
  return visit(view.root, value);
}

/** JSON's own notation for numbers: no hexadecimal, no blanks, no Infinity. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function repairText(text: string, accepted: ReadonlySet<string> | undefined): unknown {
  if (accepted === undefined || accepted.has('string')) return text;
  const trimmed = text.trim();
  if ((accepted.has('number') || accepted.has('integer')) && JSON_NUMBER.test(trimmed))
    return repairNumber(trimmed, text);
  if (accepted.has('boolean') && (trimmed === 'true' || trimmed === 'false')) return trimmed === 'true';
  if (
    (accepted.has('array') && trimmed.startsWith('[')) ||
    (accepted.has('object') && trimmed.startsWith('{'))
  ) {
    try {
      return JSON.parse(trimmed) as unknown;
    } catch {
      return text;
    }
  }
  return text;
}

/** A number that a double cannot hold exactly is an identifier, not a quantity: leave it for the validator to refuse. */
function repairNumber(digits: string, original: string): unknown {
  const number = Number(digits);
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
  return isExact ? number : original;
}
