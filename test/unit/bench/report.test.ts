import { describe, expect, it } from 'vitest';
import { figure } from '../../bench/figure.ts';
import { runPairs } from '../../bench/compare/run-pairs.ts';
import { renderChart } from '../../bench/report/report-chart.ts';
import { renderJson } from '../../bench/report/report-json.ts';
import { renderTable } from '../../bench/report/report-table.ts';
import { rowsOf, type Report } from '../../bench/report/report.ts';

const run = (settled: number, more = [figure.memory('memory', 'memory', 500)]) => [
  figure.rate('settled', 'payments <settled>', settled),
  ...more,
];
const report: Report = {
  command: 'settle',
  settings: { roles: 'combined', clients: '40' },
  machine: {
    ...{ cpu: 'Sample & Sons CPU', cores: 2, memoryGib: 8 },
    ...{ os: 'Linux 6', node: 'v20.19.0', date: '2026-10-01' },
  },
  sides: [
    { side: { name: 'this', commit: 'aaaaaaa' }, runs: [run(100), run(400), run(300)] },
    { side: { name: 'old', commit: 'bbbbbbb' }, runs: [run(50), run(100), run(300)] },
  ],
};

describe('a report', () => {
  it('says the median of each side, and the median of the ratios of the pairs', () => {
    expect(rowsOf(report)[0]).toMatchObject({ medians: [300, 100], ratio: 2 });
  });

  it('shows a figure that only one side has, and no number for the other', () => {
    const [first, second] = report.sides;
    const more = [figure.cpu('cpu', 'CPU', 7)];
    const sides = [
      { ...first!, runs: [run(1, more)] },
      { ...second!, runs: [run(1, [])] },
    ];
    expect(rowsOf({ sides })[1]).toMatchObject({ medians: [7, NaN], ratio: NaN });
    expect(renderTable({ ...report, sides })).toMatch(/^CPU +7 ms +- +-$/m);
  });

  it.each([
    ['table', renderTable],
    ['chart', renderChart],
    ['JSON', renderJson],
  ])('names the machine, the roles and the commits: %s', (_, render) => {
    const text = render(report).replaceAll('&amp;', '&');
    for (const fact of ['Sample & Sons CPU', '2026-10-01', 'v20.19.0', 'combined', 'aaaaaaa']) {
      expect(text).toContain(fact);
    }
  });
});

describe('the chart', () => {
  const chart = renderChart(report);

  it('draws the longest bar for the greatest number, and the others to its scale', () => {
    const widths = [...chart.matchAll(/class="bar[01]"[^>]* width="(\d+)" height="11"/g)];
    expect(widths.map(([, width]) => Number(width))).toEqual([440, 147]);
  });

  it('writes what labels say as text, not as markup', () => {
    expect(chart).toContain('payments &lt;settled&gt;');
    expect(chart).not.toContain('<settled>');
  });

  it('has colours for dark pages, and loads nothing', () => {
    expect(chart).toContain('prefers-color-scheme: dark');
    expect(chart.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|href|<script/);
  });
});

describe('two checkouts', () => {
  it('run in turn, every other pair the other way round', async () => {
    const order: string[] = [];
    const side = (name: string) => async (pair: number) => {
      order.push(`${name}${String(pair)}`);
      return [figure.count('pair', 'pair', pair)];
    };
    const runs = await runPairs([side('a'), side('b')], 3);
    expect(order).toEqual(['a0', 'b0', 'b1', 'a1', 'a2', 'b2']);
    expect(runs.map((one) => one.map(([first]) => first?.value))).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ]);
  });
});
