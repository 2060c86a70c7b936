import { machineLine } from './machine.ts';
import { numberText } from './number-text.ts';
import { rowsOf, type Report, type Row } from './report.ts';

const WIDTH = 900;
const LABEL_WIDTH = 330;
const BAR_WIDTH_MAX = 440;
const BAR_HEIGHT = 14;
const ROW_GAP = 10;
const KIND_GAP = 18;
const TOP = 64;

/** Colours of their own for each side, and text, for pages that are light and pages that are dark. */
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .small { font-size: 11px; fill: #59636e; }
  .bar0 { fill: #0a7f5a; } .bar1 { fill: #8c6fc4; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .small { fill: #9198a1; }
    .bar0 { fill: #3fb98d; } .bar1 { fill: #b197e8; }
  }`;

/** The report as an SVG of bars. Figures of one kind and unit share a scale; memory is left out. */
export function renderChart(report: Report): string {
  const rows = rowsOf(report).filter(({ figure }) => !['memory', 'count'].includes(figure.kind));
  const drawn: string[] = [];
  let y = TOP;
  rows.forEach((row, nth) => {
    if (nth > 0 && row.figure.kind !== rows[nth - 1]?.figure.kind) y += KIND_GAP;
    drawn.push(drawRow(row, y, scaleOf(row, rows)));
    y += row.medians.length * BAR_HEIGHT + ROW_GAP;
  });
  const { command, settings, machine, sides } = report;
  const said = Object.entries(settings).map(([name, value]) => `${name} ${value}`);
  const legend = sides.map(({ side }, nth) => {
    const x = LABEL_WIDTH + nth * 180;
    const box = `<rect class="bar${String(nth)}" x="${String(x)}" y="44" width="10" height="10"/>`;
    return box + text(x + 16, 53, `${side.name} (${side.commit})`, 'small');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${String(WIDTH)}" height="${String(y)}" ` +
      `viewBox="0 0 ${String(WIDTH)} ${String(y)}" role="img">`,
    `<title>bench ${escape(command)}</title><style>${STYLE}\n</style>`,
    text(8, 18, `bench ${command}: ${said.join(', ')}`),
    text(8, 36, machineLine(machine), 'small'),
    ...legend,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

/** The greatest number that shares the row's scale. */
function scaleOf(row: Row, rows: readonly Row[]): number {
  const { kind, unit } = row.figure;
  const peers = rows.filter(({ figure }) => figure.kind === kind && figure.unit === unit);
  return Math.max(...peers.flatMap(({ medians }) => medians).filter(Number.isFinite), 0);
}

function drawRow({ figure, medians, ratio }: Row, top: number, greatest: number): string {
  const bars = medians.map((value, nth) => {
    const y = top + nth * BAR_HEIGHT;
    const share = Number.isFinite(value) && greatest > 0 ? Math.max(value, 0) / greatest : 0;
    const width = Math.round(share * BAR_WIDTH_MAX);
    const said = numberText(value, figure.unit);
    const compared = nth === 0 && ratio !== null ? ` (${numberText(ratio)} x)` : '';
    return (
      `<rect class="bar${String(nth)}" x="${String(LABEL_WIDTH)}" y="${String(y)}" ` +
      `width="${String(width)}" height="${String(BAR_HEIGHT - 3)}" rx="2"/>` +
      text(LABEL_WIDTH + width + 6, y + BAR_HEIGHT - 5, said + compared, 'small')
    );
  });
  return [text(8, top + BAR_HEIGHT - 4, figure.label), ...bars].join('\n');
}

function text(x: number, y: number, content: string, name?: string): string {
  const named = name === undefined ? '' : ` class="${name}"`;
  return `<text x="${String(x)}" y="${String(y)}"${named}>${escape(content)}</text>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };
const escape = (content: string): string =>
  content.replace(/[<>&]/g, (character) => ESCAPES[character] ?? '');
