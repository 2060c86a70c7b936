import { machineLine } from './machine.ts';
import { numberText } from './number-text.ts';
import { rowsOf, type Report } from './report.ts';

/** The report as text: what, where, and a line for each figure. */
export function renderTable(report: Report): string {
  const { sides } = report;
  const names = sides.map(({ side }) => `${side.name} (${side.commit})`);
  const rows = rowsOf(report).map(({ figure, medians, ratio }) => [
    figure.label,
    ...medians.map((value) => numberText(value, figure.unit)),
    ...(ratio === null ? [] : [numberText(ratio)]),
  ]);
  const titles = ['median', ...names, ...(sides.length > 1 ? ['ratio in pairs'] : [])];
  return [...head(report), ...columns([titles, ...rows])].join('\n');
}

/** What was measured, and where. */
export function head({ command, settings, machine }: Report): string[] {
  const said = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  return [`bench ${command}: ${said.join(', ')}`, machineLine(machine), ''];
}

/** Columns side by side; the first to the left, numbers to the right. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  '),
  );
}
