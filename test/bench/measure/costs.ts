import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../../../src/cli/embedded/postgres.ts';
import { figure, type Figure } from '../figure.ts';
import { postPayment } from '../load/post-payments.ts';
import { untilAnnounced } from '../load/until-announced.ts';
import { startCountingProxy } from '../proxy/counting-proxy.ts';
import { listStatements } from '../proxy/statement-list.ts';
import type { Transaction } from '../proxy/transaction-reader.ts';
import { workOf, type Work } from '../proxy/work-of.ts';
import type { RunScope } from '../scope.ts';
import { median } from '../statistics.ts';
import { databaseFigures, openDatabaseWork } from './database-work.ts';
import { readHistoryLengths } from './history.ts';
import { openPayoutStage, runPayouts, type PayoutStage } from './payout-run.ts';
import type { RunOptions } from './run-options.ts';

const LONE_PAYMENTS = 20;
const HISTORY_SAMPLE = 20;
/** After the last webhook: until it is recorded, and the drain has ended its run. */
const QUIET_MS = 2_500;
const LOOK_EVERY_MS = 20;
const WORKS: readonly Work[] = ['accept', 'settle', 'deliveries'];

/**
 * What a payout costs in statements, commits and history events: under load, and one payment after
 * the other, each announced before the next. The engine works on a PostgreSQL of the bench's own,
 * through a proxy that counts, so nothing here is timed.
 */
export async function measureCosts(scope: RunScope, options: RunOptions): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-bench-postgres-'));
  scope.defer(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  options.say('starting PostgreSQL behind a proxy that counts');
  const postgres = await startPostgres({
    ...{ dataDir: join(folder, 'data'), port: 0 },
    ...{ log: () => undefined, progress: () => undefined },
  });
  scope.defer(() => postgres.stop());
  const work = await openDatabaseWork(scope, postgres.url);
  const proxy = await startCountingProxy(scope, postgres.url);
  const stage = await openPayoutStage(scope, options, proxy.url, postgres.url);

  const count = async (work: () => Promise<number>) => {
    await pause(QUIET_MS);
    proxy.takeTransactions();
    const payments = await work();
    await pause(QUIET_MS);
    return { payments, transactions: proxy.takeTransactions() };
  };
  options.say('one payment after the other');
  const lone = await count(() => payOneByOne(scope, stage));
  const loneHistory = await readHistoryLengths(
    stage.engine.state.temporalAddress,
    Math.min(HISTORY_SAMPLE, lone.payments),
  );
  await work.take(1);
  const load = await count(async () => {
    const { accepted } = await runPayouts(scope, stage, options);
    return accepted.length;
  });
  const databaseWork = await work.take(load.payments);
  const loadHistory = await readHistoryLengths(
    stage.engine.state.temporalAddress,
    Math.min(HISTORY_SAMPLE, load.payments),
  );
  if (options.statementsFile !== null) {
    writeFileSync(options.statementsFile, '');
    for (const [name, { transactions, payments }] of Object.entries({ lone, load })) {
      const lines = [`${name}: per payment, for what, statement`];
      lines.push(...listStatements(transactions, payments), '');
      appendFileSync(options.statementsFile, lines.join('\n'));
    }
    const sources = ['load: per payment, of each table and index', ...work.listSources(), ''];
    appendFileSync(options.statementsFile, sources.join('\n'));
  }
  return [
    ...costFigures('lone', 'lone', lone),
    figure.cost('history-lone', 'history events, lone', median(loneHistory)),
    ...costFigures('load', `${String(options.clients)} clients`, load),
    ...databaseFigures('load', `${String(options.clients)} clients`, databaseWork),
    figure.cost(
      'history-load',
      `history events, ${String(options.clients)} clients`,
      median(loadHistory),
    ),
  ];
}

async function payOneByOne(scope: RunScope, { receiver, payers }: PayoutStage): Promise<number> {
  const [payer] = payers;
  if (payer === undefined) throw new Error('there is no client');
  await receiver.forget();
  for (let paid = 1; paid <= LONE_PAYMENTS; paid += 1) {
    await postPayment(payer);
    await untilAnnounced(receiver, 'payment.completed', paid, scope.signal, LOOK_EVERY_MS);
  }
  return LONE_PAYMENTS;
}

/** Statements, round trips and commits of writes for each payment, by what they are for. */
function costFigures(
  key: string,
  label: string,
  counted: { readonly payments: number; readonly transactions: readonly Transaction[] },
): Figure[] {
  const { payments, transactions } = counted;
  const of = (what: string, works: readonly Work[], count: (one: Transaction) => number) => {
    const ours = transactions.filter((one) => works.includes(workOf(one)));
    const total = ours.reduce((sum, one) => sum + count(one), 0);
    const name = works.length === 1 ? `${what} of ${String(works[0])}` : what;
    const id = `${what.replace(/ /g, '-')}-${works.join('+')}-${key}`;
    return figure.cost(id, `${name}, ${label}`, total / payments);
  };
  const statements = (one: Transaction) => one.statements.length;
  const commits = (one: Transaction) => (one.isWrite && one.end === 'COMMIT' ? 1 : 0);
  return [
    of('statements', WORKS, statements),
    ...WORKS.map((work) => of('statements', [work], statements)),
    of('round trips', WORKS, (one) => one.roundTrips),
    of('commits', WORKS, commits),
    ...WORKS.map((work) => of('commits', [work], commits)),
    of('statements', ['other'], statements),
  ];
}
