/** Reads CSV with a header row, quoted fields and doubled quotes. Returns one object per row, keyed by the header. */
export function parseCsv(text) {
  const [header, ...rows] = toRows(text);
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}

function toRows(text) {
  const rows = [];
  let row = [];
  // A field is either quoted, with doubled quotes inside, or has no comma, quote or line break.
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1) rows.push(row);
    row = [];
  }
  return rows;
}
