import type { FigureKind } from '../figure.ts';
import { median } from '../statistics.ts';
import { columns, head } from './report-table.ts';
import { numberText } from './number-text.ts';
import { rowsOf, type Report } from './report.ts';

/** Two runs of one commit differ by as much. */
const SAME_WITHIN = 0.03;

/** WORSE and BETTER: in every pair, and by more than 3 % in the middle. UNSURE: in the middle, and not in every pair. */
export type Verdict = 'BETTER' | 'SAME' | 'UNSURE' | 'WORSE';

const MORE_IS_BETTER: ReadonlySet<FigureKind> = new Set(['rate', 'ratio']);

/** Judges a figure by its ratios in pairs, this checkout by the other. */
export function judge(kind: FigureKind, ratios: readonly number[]): Verdict {
  // Above 1: worse.
  const costs = ratios.map((ratio) => (MORE_IS_BETTER.has(kind) ? 1 / ratio : ratio));
  const middle = median(costs);
  if (middle > 1 + SAME_WITHIN) return costs.every((cost) => cost > 1) ? 'WORSE' : 'UNSURE';
  if (middle < 1 - SAME_WITHIN) return costs.every((cost) => cost < 1) ? 'BETTER' : 'UNSURE';
  return 'SAME';
}

/** What the bench itself does around the engine. */
const OF_THE_BENCH = /^bare$|-(bare|bank|receiver|clients)(-|$)/;

/** Each figure of the engine that both sides have, with its spread over the pairs and a verdict. */
export function judgeReport(report: Pick<Report, 'sides'>) {
  return rowsOf(report)
    .filter(({ figure }) => figure.kind !== 'count' && !OF_THE_BENCH.test(figure.key))
    .map((row) => ({ ...row, ratios: row.ratios.filter((ratio) => !Number.isNaN(ratio)) }))
    .filter(({ ratios }) => ratios.length > 0)
    .map((row) => ({ ...row, verdict: judge(row.figure.kind, row.ratios) }));
}

/** The report of `guard` as text: a line for each figure, and the sum of it. */
export function renderVerdicts(report: Report): string {
  const judged = judgeReport(report);
  const names = report.sides.map(({ side }) => `${side.name} (${side.commit})`);
  const worse = judged.filter(({ verdict }) => verdict === 'WORSE');
  return [
    ...head(report),
    ...columns([
      ['median', ...names, 'ratio', 'least', 'most', 'verdict'],
      ...judged.map(({ figure, medians, ratio, ratios, verdict }) => [
        figure.label,
        ...medians.map((value) => numberText(value, figure.unit)),
        ...[ratio ?? NaN, Math.min(...ratios), Math.max(...ratios)].map((one) => numberText(one)),
        verdict,
      ]),
    ]),
    '',
    worse.length === 0
      ? 'No figure is worse.'
      : `Worse: ${worse.map(({ figure }) => figure.label).join(', ')}.`,
  ].join('\n');
}
