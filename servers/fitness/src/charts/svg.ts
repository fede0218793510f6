/** Text of an SVG document. */
export type Svg = string;

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element without content. Numbers have at most two decimals; undefined attributes are left out. */
export function element(name: string, attributes: Attributes): Svg {
  return `<${name}${format(attributes)}/>`;
}

export function text(content: string, attributes: Attributes): Svg {
  return `<text${format(attributes)}>${escape(content)}</text>`;
}

/** The path of a line through points; undefined points are gaps. */
export function toPath(points: readonly ({ readonly x: number; readonly y: number } | undefined)[]): string {
  let isOpen = false;
  let path = '';
  for (const point of points) {
    if (point !== undefined) path += `${isOpen ? 'L' : 'M'}${toNumber(point.x)} ${toNumber(point.y)}`;
    isOpen = point !== undefined;
  }
  return path;
}

function format(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) =>
      value === undefined ? '' : ` ${name}="${typeof value === 'number' ? toNumber(value) : escape(value)}"`,
    )
    .join('');
}

function toNumber(value: number): string {
  return String(Math.round(value * 100) / 100);
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Also replaces characters that XML does not allow. */
function escape(content: string): string {
  return content
    .replaceAll(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ')
    .replaceAll(/[&<>"]/g, (character) => ESCAPES[character] ?? '');
}
