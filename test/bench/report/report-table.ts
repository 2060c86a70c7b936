import { machineLine } from './machine.ts';
import { numberText } from './number-text.ts';
import { rowsOf, type Report } from './report.ts';

/** The report as text: what, where, and a line for each figure. */
export function renderTable(report: Report): string {
  const { command, settings, machine, sides } = report;
  const names = sides.map(({ side }) => `${side.name} (${side.commit})`);
  const rows = rowsOf(report).map(({ figure, medians, ratio }) => [
    figure.label,
    ...medians.map((value) => numberText(value, figure.unit)),
    ...(ratio === null ? [] : [numberText(ratio)]),
  ]);
  const head = ['median', ...names, ...(sides.length > 1 ? ['ratio in pairs'] : [])];
  const said = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  return [
    `bench ${command}: ${said.join(', ')}`,
    machineLine(machine),
    '',
    ...columns([head, ...rows]),
  ].join('\n');
}

/** Columns side by side; the first to the left, numbers to the right. */
function columns(rows: readonly (readonly string[])[]): string[] {
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
