import { openBalance } from '../../../db/ledger/balance-store.ts';
import { insertLedgerTransactions } from '../../../db/ledger/ledger-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import {
  creditToBalance,
  lockDeposits,
  type DepositRow,
} from '../../../db/onchain/deposit-store.ts';
import type { UnbookedDeposit } from '../../../db/onchain/read-deposit-store.ts';
import { lockDepositAddresses } from '../../../db/parties/deposit-address-store.ts';
import { recordEvents } from '../../../db/webhooks/event-store.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { depositLines } from '../../../domain/ledger/deposit-movements.ts';
import { creditDeposit, type BookStep } from '../../../domain/onchain/deposits/funding-book.ts';
import type { Scope } from '../../../domain/scope.ts';
import { depositEvent } from '../../ledger/funding/deposit-view.ts';
import type { ReaderDeps } from './reader-deps.ts';

/**
 * Credits deposits of one customer to standing addresses in one transaction: what each makes of its own book says nothing
 * of another's. The addresses are locked first, then the deposits, as for one of them. One that was mined elsewhere
 * meanwhile, or is credited, is left out.
 */
export async function creditTogether(
  { db, place, clock }: Pick<ReaderDeps, 'db' | 'place' | 'clock'>,
  customerId: string,
  deposits: readonly UnbookedDeposit[],
): Promise<void> {
  const scope: Scope = { customerId, environment: place.environment };
  const at = clock.now();
  await db.write(scope, async (tx) => {
    const steps = await takeSteps(tx, scope, deposits);
    if (steps.length === 0) return;
    const changed = await writeSteps(tx, scope, steps, at);
    const drafts = changed.map((row) => depositEvent('deposit.credited', row));
    await recordEvents(tx, scope, drafts, at);
  });
}

async function takeSteps(
  tx: ScopedTransaction,
  scope: Scope,
  deposits: readonly UnbookedDeposit[],
): Promise<readonly BookStep[]> {
  const ids = new Set(deposits.flatMap(({ depositAddressId }) => depositAddressId ?? []));
  const addresses = await lockDepositAddresses(tx, scope, [...ids]);
  const minAmounts = new Map(addresses.map(({ id, minAmount }) => [id, minAmount]));
  const judged = new Map(deposits.map(({ id, blockHash }) => [id, blockHash]));
  const rows = await lockDeposits(tx, scope, [...judged.keys()]);
  return rows.flatMap((row) => {
    const minAmount = minAmounts.get(row.depositAddressId ?? '');
    if (minAmount === undefined || row.blockHash !== judged.get(row.id)) return [];
    const step = creditDeposit({ funding: { status: null, minAmount }, deposits: [row] }, row.id);
    return step === null ? [] : [step];
  });
}

async function writeSteps(
  tx: ScopedTransaction,
  scope: Scope,
  steps: readonly BookStep[],
  at: Date,
): Promise<readonly DepositRow[]> {
  const credited = steps.flatMap(({ changed }) => changed);
  const changed: DepositRow[] = [];
  for (const [reason, some] of groupBy(credited, (one) => one.applied?.reason ?? null)) {
    const ids = some.map(({ id }) => id);
    changed.push(...(await creditToBalance(tx, scope, { ids, reason }, at)));
  }
  const byId = new Map(credited.map((one) => [one.id, one]));
  for (const asset of [...new Set(credited.map((one) => one.asset))].sort()) {
    await openBalance(tx, scope, asset);
  }
  const transactions = steps.flatMap(({ movements }) =>
    movements.map(({ depositId, round, movement }) => {
      const deposit = byId.get(depositId);
      if (deposit === undefined) throw new Error(`deposit ${depositId} moves, and is not credited`);
      return {
        id: newId(ID_PREFIXES.ledgerTransaction),
        kind: movement.kind,
        paymentId: null,
        deposit: { id: depositId, round },
        // What comes in takes nothing from what is available.
        lines: depositLines(deposit.network, deposit.asset, movement, 0n),
      };
    }),
  );
  if (!(await insertLedgerTransactions(tx, scope, transactions, at)))
    throw new Error('a balance does not cover what comes in');
  return changed.toSorted((one, other) => Number(one.seq - other.seq));
}
