import { parseSync, visitorKeys } from 'oxc-parser';
import type { Node } from 'oxc-parser';

/** A defence that is turned off: the code behind a mark of the source, `// defence: strip-unknown`. */
export interface Weakness {
  /** Below `dist/`, for example `wire/messages/scan-json.js`. */
  readonly module: string;
  /** The name of the mark, which is in the module exactly once. */
  readonly defence: string;
  /**
   * The replacement; default: none. `$&` is the replaced code.
   *
   * A marked declaration keeps its name: the statements of a function or a method are replaced; the value of a constant, a field or a
   * property; otherwise the whole statement, member or element. So the name of a parameter is not needed: use `arguments[0]`.
   */
  readonly by?: string;
}

/** A change of a text. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The source of the module of a weakness, with its defence turned off. */
export function weaken(source: string, { module, defence, by }: Weakness): string {
  const { program, comments } = parseSync(module, source);
  const marks = comments.filter(({ value }) => value.trim() === `defence: ${defence}`);
  const [mark] = marks;
  if (mark === undefined || marks.length > 1)
    throw new Error(`${module} has ${marks.length} marks "// defence: ${defence}", and must have one.`);
  const start = startOfCode(source, mark.end);
  const marked = findFirst(program, (node) => node.type !== 'Program' && node.start === start);
  if (marked === undefined) throw new Error(`${module}: no code is behind "// defence: ${defence}".`);
  const { start: from, end, text } = replacing(source, marked, by);
  return source.slice(0, from) + text + source.slice(end);
}

/** Start of the code after a comment. */
function startOfCode(source: string, from: number): number {
  const gap = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
  gap.lastIndex = from;
  gap.test(source);
  return gap.lastIndex;
}

/** The outermost matching node. */
function findFirst(node: Node, fits: (node: Node) => boolean): Node | undefined {
  if (fits(node)) return node;
  for (const key of visitorKeys[node.type] ?? []) {
    const members = [(node as unknown as Record<string, unknown>)[key]].flat() as (Node | null | undefined)[];
    for (const member of members) {
      const found = member == null ? undefined : findFirst(member, fits);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function replacing(source: string, marked: Node, by: string | undefined): Edit {
  const node = (marked.type === 'ExportNamedDeclaration' && marked.declaration) || marked;
  const replace = ({ start, end }: Pick<Node, 'start' | 'end'>, text: string): Edit => ({
    start,
    end,
    text: text.replaceAll('$&', () => source.slice(start, end)),
  });
  const { body = null } =
    node.type === 'MethodDefinition' ? node.value : node.type === 'FunctionDeclaration' ? node : {};
  if (body !== null) return replace({ start: body.start + 1, end: body.end - 1 }, ` ${by ?? ''} `);
  if (node.type === 'VariableDeclaration' && node.declarations[0]?.init != null)
    return replace(node.declarations[0].init, by ?? 'undefined');
  if (node.type === 'PropertyDefinition' && node.value !== null)
    return replace(node.value, by ?? 'undefined');
  if (node.type === 'Property') {
    const { start, end } = node.value;
    const name = node.shorthand ? `${source.slice(start, end)}: ` : '';
    const { text } = replace(node.value, by ?? 'undefined');
    return { start, end, text: name + text };
  }
  return replace(node, by ?? (/Statement$|Declaration$/.test(node.type) ? ';' : 'undefined'));
}
