import { describe, expect, it } from 'vitest';
import { figure } from '../../bench/figure.ts';
import { judge, judgeReport } from '../../bench/report/verdict.ts';

describe('a figure is', () => {
  it.each([
    ['a rate that falls in every pair', 'rate', [0.9, 0.95], 'WORSE'],
    ['a rate that rises in every pair', 'rate', [1.1, 1.2], 'BETTER'],
    ['a cost that rises in every pair', 'cost', [1.1, 1.02], 'WORSE'],
    ['a latency that falls in every pair', 'latency', [0.9, 0.8], 'BETTER'],
    ['a cost where there was none', 'cost', [Infinity, Infinity], 'WORSE'],
    ['a cost within 3 %', 'cpu', [1.02, 1.03], 'SAME'],
    ['a latency on whose direction the pairs disagree', 'latency', [1.3, 0.9], 'UNSURE'],
  ] as const)('%s: %s %j %s', (_, kind, ratios, verdict) => {
    expect(judge(kind, ratios)).toBe(verdict);
  });
});

it('judges what both sides have, and nothing of the bench itself', () => {
  const run = (settled: number, more = [figure.cost('rows', 'rows', 1)]) => [
    figure.rate('settled', 'settled', settled),
    figure.rate('bare', 'bare workflows', settled),
    figure.cpu('cpu-bank', 'CPU of the bank', settled),
    figure.memory('memory-clients-after', 'memory of clients', settled),
    ...more,
  ];
  const side = { name: 'any', commit: 'aaaaaaa' };
  const judged = judgeReport({
    sides: [
      { side, runs: [run(1), run(1)] },
      { side, runs: [run(2, []), run(2, [])] },
    ],
  });
  expect(judged.map(({ figure: { key }, verdict }) => [key, verdict])).toEqual([
    ['settled', 'WORSE'],
  ]);
});
