import {
  countHeldPayments,
  listHeldPayments,
  type HeldFilter,
} from '../../db/payments/held-payment-store.ts';
import type { OpsPayment } from '../../db/operations/ops-store.ts';
import { amountOf } from './amount.ts';
import type { OpsDeps } from './command-context.ts';
import {
  retryInTime,
  type RetryDecision,
  type RetryDeps,
  type RetryOutcome,
} from '../../modules/payments/retry-held-payment.ts';
import { table } from './table.ts';

/** Payments retried at the same time, and read at once. */
const PAGE = 20;
/** Payments that a dry run names, and failures that a summary names. */
const NAMED_MAX = 50;

type Failure = readonly [paymentId: string, why: string];

interface Tally {
  readonly taken: number;
  readonly notWaiting: number;
  readonly failures: readonly Failure[];
  /** A whole page was not answered, so the rest was left alone. */
  readonly isGivenUp: boolean;
}

/**
 * Takes up every held payment that the filter names, `limit` at the most; one that fails keeps no
 * other from its turn. Answers the exit code: 1 where any failed. Running it again is safe: what was
 * taken up waits no more.
 */
export async function retryPayments(
  deps: OpsDeps,
  filter: HeldFilter,
  options: RetryDecision & { readonly limit: number; readonly isDryRun: boolean },
): Promise<number> {
  const waiting = await deps.db.system((tx) => countHeldPayments(tx, filter));
  // A payment that is held anew meanwhile is not run after: the work ends at what was counted.
  const meant = Math.min(waiting, options.limit);
  deps.print(`${countOf(waiting)} ${waiting === 1 ? 'is' : 'are'} ON_HOLD / ${filter.detail}.`);
  if (options.isDryRun) {
    await showFirst(deps, filter, meant);
    return 0;
  }
  const tally = await retryPages(deps, filter, meant, options);
  showTally(deps, tally);
  return tally.failures.length === 0 ? 0 : 1;
}

const countOf = (count: number): string =>
  `${String(count)} ${count === 1 ? 'payment' : 'payments'}`;

async function showFirst(deps: OpsDeps, filter: HeldFilter, meant: number): Promise<void> {
  const named = Math.min(meant, NAMED_MAX);
  const first = await deps.db.system((tx) => listHeldPayments(tx, filter, '', named));
  const row = (payment: OpsPayment) => [payment.id, amountOf(payment), payment.customerId];
  if (first.length > 0) deps.print(table(['payment', 'amount', 'customer'], first.map(row)));
  if (meant > named) deps.print(`and ${String(meant - named)} more`);
  deps.print(`Dry run: nothing was changed. ${countOf(meant)} would be retried.`);
}

async function retryPages(
  deps: OpsDeps,
  filter: HeldFilter,
  meant: number,
  { operator, reason }: RetryDecision,
): Promise<Tally> {
  const failures: Failure[] = [];
  let [taken, notWaiting, done, after] = [0, 0, 0, ''];
  while (done < meant) {
    const [from, size] = [after, Math.min(PAGE, meant - done)];
    const page = await deps.db.system((tx) => listHeldPayments(tx, filter, from, size));
    const last = page.at(-1);
    if (last === undefined) break;
    const outcomes = await Promise.all(
      page.map(async (payment) => ({
        id: payment.id,
        outcome: await retryOrTell(deps, payment, { operator, reason }),
      })),
    );
    for (const { id, outcome } of outcomes) {
      if (outcome.kind === 'TAKEN') taken += 1;
      else if (outcome.kind === 'NOT_WAITING') notWaiting += 1;
      else failures.push([id, outcome.why]);
    }
    done += page.length;
    after = last.id;
    deps.showProgress(`retrying payments: ${String(done)} of ${String(meant)}`);
    const isAnswered = outcomes.some(({ outcome }) => outcome.kind !== 'NO_ANSWER');
    if (!isAnswered) return { taken, notWaiting, failures, isGivenUp: done < meant };
  }
  return { taken, notWaiting, failures, isGivenUp: false };
}

const retryOrTell = (
  deps: RetryDeps,
  payment: OpsPayment,
  decision: RetryDecision,
): Promise<RetryOutcome> =>
  retryInTime(deps, payment, decision).catch((error: unknown) => ({
    kind: 'NO_ANSWER',
    why: error instanceof Error ? error.message : 'unknown error',
  }));

function showTally(deps: OpsDeps, { taken, notWaiting, failures, isGivenUp }: Tally): void {
  deps.print(
    `Retried: ${String(taken)}. No longer on hold: ${String(notWaiting)}. Failed: ${String(failures.length)}.`,
  );
  if (failures.length === 0) return;
  deps.print(table(['failed', 'why'], failures.slice(0, NAMED_MAX)));
  if (failures.length > NAMED_MAX) deps.print(`and ${String(failures.length - NAMED_MAX)} more`);
  if (isGivenUp) deps.print('No payment of the last page was answered, so the rest was skipped.');
  deps.print('Run the same command again to retry the rest.');
}
