import type { Children } from './types.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Children;
  /** Numbers stand on the right, where their digits meet. */
  readonly isNumber?: boolean;
  /** What is said beside the thing itself. */
  readonly isMuted?: boolean;
}

const classOf = <Row,>({ isNumber, isMuted }: Column<Row>): string | undefined =>
  [isNumber === true ? 'number' : '', isMuted === true ? 'muted' : '']
    .filter((name) => name !== '')
    .join(' ') || undefined;

/**
 * Rows of one kind. With `hrefOf` the first cell is a link that covers its whole row. In a narrow place the cells of
 * a row stack, each with its column's title. A table that is still too wide scrolls inside, shows a shadow at the
 * edge where more follows, and takes focus, so that the keyboard can scroll it.
 */
export function Table<Row>(props: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly hrefOf?: (row: Row) => string;
}) {
  const { label, columns, rows, keyOf, hrefOf } = props;
  return (
    <div class="table" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, index) => (
                <td key={column.title} class={classOf(column)} data-title={column.title}>
                  {index === 0 && hrefOf !== undefined ? (
                    <a class="row-link" href={hrefOf(row)}>
                      {column.cell(row)}
                    </a>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
