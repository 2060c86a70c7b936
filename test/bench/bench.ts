import { writeFileSync } from 'node:fs';
import type { BenchOrder, CommandName } from './command-line.ts';
import { checkOut, commitOf, OWN_FOLDER } from './compare/checkout.ts';
import { runPairs } from './compare/run-pairs.ts';
import type { Figure } from './figure.ts';
import { measureAccept } from './measure/accept.ts';
import { measureCosts } from './measure/costs.ts';
import { measureGuard } from './measure/guard.ts';
import { measureDeposits } from './measure/deposits.ts';
import type { RunOptions } from './measure/run-options.ts';
import { measureOnRamps } from './measure/on-ramps.ts';
import { measureSettle } from './measure/settle.ts';
import { measureStatements } from './measure/statements.ts';
import { measureWebhooks } from './measure/webhooks.ts';
import { describeMachine } from './report/machine.ts';
import { renderChart } from './report/report-chart.ts';
import { renderJson } from './report/report-json.ts';
import { renderTable } from './report/report-table.ts';
import type { Report, Side } from './report/report.ts';
import { judgeReport, renderVerdicts } from './report/verdict.ts';
import type { RunScope } from './scope.ts';

type Measure = (scope: RunScope, options: RunOptions) => Promise<Figure[]>;

const MEASURES: Readonly<Record<CommandName, Measure>> = {
  accept: measureAccept,
  settle: measureSettle,
  costs: measureCosts,
  guard: measureGuard,
  webhooks: measureWebhooks,
  statements: measureStatements,
  'on-ramps': measureOnRamps,
  deposits: measureDeposits,
};

/**
 * Measures what was asked for, and tells it: on stdout, and in the files that were named. Answers whether `guard` found
 * a figure that is worse.
 */
export async function runBench(
  scope: RunScope,
  order: BenchOrder,
  output: { readonly say: (line: string) => void; readonly print: (text: string) => void },
): Promise<boolean> {
  const { say, print } = output;
  const folders = [{ name: 'this', folder: OWN_FOLDER }];
  if (order.against !== null) {
    folders.push({ name: order.against, folder: await checkOut(scope, order.against, say) });
  }
  const sides = await Promise.all(
    folders.map(async (one) => ({ ...one, commit: await commitOf(one.folder) })),
  );
  const runs = await runPairs(
    sides.map((side) => (pair) => runOnce(scope, order, side, pair, say)),
    order.against === null ? 1 : order.pairs,
  );
  const report: Report = {
    command: order.command,
    settings: settingsOf(order),
    machine: describeMachine(order.date),
    sides: sides.map(({ name, commit }, nth) => ({
      side: { name, commit },
      runs: runs[nth] ?? [],
    })),
  };
  print(order.command === 'guard' ? renderVerdicts(report) : renderTable(report));
  if (order.jsonFile !== null) writeFileSync(order.jsonFile, renderJson(report));
  if (order.chartFile !== null) writeFileSync(order.chartFile, renderChart(report));
  return (
    order.command === 'guard' && judgeReport(report).some(({ verdict }) => verdict === 'WORSE')
  );
}

/** One run, with everything around it started anew and gone afterwards. */
async function runOnce(
  scope: RunScope,
  order: BenchOrder,
  side: Side & { readonly folder: string },
  pair: number,
  say: (line: string) => void,
): Promise<readonly Figure[]> {
  const name = order.against === null ? '' : `${side.name}, run ${String(pair + 1)}: `;
  const run = scope.child();
  try {
    return await MEASURES[order.command](run, {
      ...order,
      folder: side.folder,
      say: (line) => {
        say(`${name}${line}`);
      },
    });
  } finally {
    say(`${name}stopping`);
    await run.close();
  }
}

function settingsOf(order: BenchOrder): Record<string, string> {
  const { roles, clients, customers, end, events, rounds, lines } = order;
  const load = 'seconds' in end ? { seconds: end.seconds } : { payments: end.payments };
  const sizes = {
    accept: { customers, ...load },
    settle: { customers, ...load },
    costs: { customers, ...load },
    guard: { customers, ...load },
    webhooks: { events, rounds },
    statements: { lines, customers, ...load },
    'on-ramps': load,
    deposits: load,
  }[order.command];
  return Object.fromEntries(
    Object.entries({ roles, clients, ...sizes }).map(([key, value]) => [key, String(value)]),
  );
}
