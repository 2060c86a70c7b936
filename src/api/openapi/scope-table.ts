/** As much of an OpenAPI document as is read here. */
interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly summary?: string;
  readonly security?: readonly unknown[];
  readonly 'x-required-scope'?: string;
}

const MARKED = /(<!-- scopes -->\n)[^]*?(<!-- end -->)/;
const PREFIX = '/api/v1';

/** The page with the table between `<!-- scopes -->` and `<!-- end -->` made anew from the document. */
export function renderScopesPage(page: string, document: Document): string {
  return page.replace(MARKED, (_all, start: string, end: string) => {
    return `${start}\n${renderTable(document)}\n\n${end}`;
  });
}

/** Markdown as prettier has it: a row for every operation that needs a key. */
function renderTable({ paths = {} }: Document): string {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method, operation]) => {
        const scope = operation['x-required-scope'];
        return [
          scope === undefined ? 'any key' : `\`${scope}\``,
          `\`${method.toUpperCase()} ${path.replace(PREFIX, '')}\``,
          operation.summary ?? '',
        ];
      }),
  );
  const all = [
    ['scope', 'request', 'what it does'],
    ...rows.sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0)),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`;
  return [
    line(all[0] ?? []),
    line(['', '', ''], '-'),
    ...all.slice(1).map((row) => line(row)),
  ].join('\n');
}
