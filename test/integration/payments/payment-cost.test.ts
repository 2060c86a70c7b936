import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  boundOf,
  isWritingCounts,
  readPerformanceCounts,
  writePerformanceCounts,
  type LoadCount,
} from '../../support/performance-counts.ts';
import {
  startCountedPayments,
  type PaymentCosts,
} from '../../support/payments/counted-payments.ts';
import { keys } from '../../support/payments/together-harness.ts';

const RUNS = 5;
const TOGETHER = 40;

let payments: Awaited<ReturnType<typeof startCountedPayments>>;
beforeAll(async () => {
  payments = await startCountedPayments();
  // The first ones open connections and pages.
  await payments.pay(['first']);
});
afterAll(() => payments.close());

it('a payment that comes alone costs PostgreSQL what docs/performance.json says', async () => {
  const { accept, settle, deliver, ...work } = await payments.pay(['lone']);
  expect(work.rowsInSequence).toBe(0);
  const { lone } = readPerformanceCounts();
  const counted = {
    statements: {
      ...lone.statements,
      accept: accept.statements,
      settle: settle.statements,
      deliver: deliver.statements,
    },
    commits: { accept: accept.commits, settle: settle.commits, deliver: deliver.commits },
    functionCalls: work.functionCalls,
    rowsByIndex: work.rowsByIndex,
  };
  if (isWritingCounts) {
    writePerformanceCounts({ lone: { ...counted, walBytesMax: boundOf([work.walBytes]) } });
    return;
  }
  expect(lone).toMatchObject(counted);
  expect(work.walBytes).toBeLessThanOrEqual(lone.walBytesMax);
});

it('a payment reads no more rows the more payments were before it', async () => {
  const before = await payments.pay(['sooner']);
  for (let nth = 0; nth < 3; nth += 1) await payments.pay([`between ${String(nth)}`]);
  const after = await payments.pay(['later']);
  expect(after.rowsByIndex).toBe(before.rowsByIndex);
});

it('payments that come at once cost PostgreSQL at most what docs/performance.json says', async () => {
  await payments.pay(keys('first', TOGETHER));
  const runs: Record<LoadCount, number>[] = [];
  for (let nth = 0; nth < RUNS; nth += 1) {
    // From here on PostgreSQL plans with what it knows of small tables.
    if (nth === RUNS - 1) await payments.analyze();
    runs.push(countsOf(await payments.pay(keys(`run ${String(nth)}`, TOGETHER))));
  }
  const { load } = readPerformanceCounts();
  const counts = (name: LoadCount) => runs.map((run) => run[name]);
  const names = Object.keys(load) as LoadCount[];
  if (isWritingCounts) {
    const bounds = names.map((name) => [name, boundOf(counts(name))] as const);
    writePerformanceCounts({ load: Object.fromEntries(bounds) as typeof load });
    return;
  }
  for (const name of names) {
    const each = counts(name);
    expect(Math.max(...each), `${name}: ${each.join(', ')}`).toBeLessThanOrEqual(load[name]);
  }
});

/** For each payment. */
function countsOf({ accept, settle, deliver, ...work }: PaymentCosts): Record<LoadCount, number> {
  const stages = [accept, settle, deliver];
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  return {
    statementsMax: sum(stages.map(({ statements }) => statements)) / TOGETHER,
    commitsMax: sum(stages.map(({ commits }) => commits)) / TOGETHER,
    functionCallsMax: work.functionCalls / TOGETHER,
    rowsByIndexMax: work.rowsByIndex / TOGETHER,
    rowsInSequenceMax: work.rowsInSequence / TOGETHER,
    walBytesMax: work.walBytes / TOGETHER,
  };
}
