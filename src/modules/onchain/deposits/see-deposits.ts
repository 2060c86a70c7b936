import {
  insertDeposits,
  seeDepositAgain,
  type NewDeposit,
} from '../../../db/onchain/deposit-store.ts';
import { refusalCode } from '../../../db/client/outage.ts';
import type { WatchedAddress } from '../../../db/parties/watched-address-store.ts';
import { recordEvents } from '../../../db/webhooks/event-store.ts';
import { groupBy } from '../../../domain/group-by.ts';
import type { Scope } from '../../../domain/scope.ts';
import { idOfDeposit } from '../../ledger/funding/deposit-id.ts';
import { depositEvent } from '../../ledger/funding/deposit-view.ts';
import { ownerOf } from './book-deposit.ts';
import type { ProvedTransfer } from './find-transfers.ts';
import { pastRefusal } from './past-refusal.ts';
import type { ReaderDeps } from './reader-deps.ts';
import { wakePayments } from './wake-payments.ts';

/** A transfer to a watched address, and whose that is. */
interface ToSee {
  readonly owner: WatchedAddress;
  readonly transfer: ProvedTransfer;
  /** Of the deposit as it is stored; null where it is new. */
  readonly id: string | null;
}

/**
 * Stores transfers to watched addresses as SEEN, those of a customer in one transaction; the same event that was orphaned
 * is SEEN again. Where the database refuses one, each is stored by itself, and that one is set aside. No payment is locked:
 * what it makes of a deposit is its own work, and it is woken after the commit.
 */
export async function seeDeposits(deps: ReaderDeps, seen: readonly ToSee[]): Promise<void> {
  for (const [customerId, ofCustomer] of groupBy(seen, ({ owner }) => owner.customerId)) {
    const scope: Scope = { customerId, environment: deps.place.environment };
    try {
      await see(deps, scope, ofCustomer);
    } catch (error) {
      if (refusalCode(error) === null) throw error;
      for (const one of ofCustomer) {
        await pastRefusal(deps, one.transfer, () => see(deps, scope, [one]));
      }
    }
  }
}

async function see(deps: ReaderDeps, scope: Scope, seen: readonly ToSee[]): Promise<void> {
  const { db, clock } = deps;
  const at = clock.now();
  const deposits = seen.map((one) => toDeposit(deps, one));
  const stored = await db.write(scope, async (tx) => {
    const rows = await insertDeposits(tx, scope, deposits, at);
    const isNew = new Set(rows.map(({ id }) => id));
    for (const { id, block } of deposits) {
      if (isNew.has(id)) continue;
      const again = await seeDepositAgain(tx, scope, id, block, at);
      if (again !== null) rows.push(again);
    }
    const drafts = rows.map((row) => depositEvent('deposit.seen', row));
    if (drafts.length > 0) await recordEvents(tx, scope, drafts, at);
    return rows;
  });
  await wakePayments(deps, scope, stored);
}

function toDeposit({ place }: ReaderDeps, { owner, transfer, id }: ToSee): NewDeposit {
  const { environment, network } = place;
  const { block, ...facts } = transfer;
  const event = { network, ...facts };
  return { id: id ?? idOfDeposit(environment, event), ...event, ...ownerOf(owner), block };
}
