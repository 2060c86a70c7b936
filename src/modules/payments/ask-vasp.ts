import type { Database } from '../../db/client/database.ts';
import { findTravelRuleRecord, writeVaspAnswer } from '../../db/payments/travel-rule-store.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import type {
  TravelRuleProvider,
  TravelTransfer,
} from '../../domain/payments/travel-rule/travel-rule-provider.ts';
import type { Vault } from '../../vault/vault.ts';
import { travelRuleRow } from './travel-rule.ts';

/** Who carries records to VASPs, by environment; missing where none does. */
export type TravelRuleProviders = Readonly<Partial<Record<Environment, TravelRuleProvider>>>;

/**
 * Announces a payment to the VASP that keeps its wallet, or asks what that says by now, and keeps the answer; no
 * transaction is open meanwhile. The payment's id is the transfer's, so that a second announcement is the same one.
 * Throws TravelRuleError.
 */
export async function askVasp(
  deps: {
    readonly db: Database;
    readonly vault: Vault;
    readonly clock: Clock;
    readonly travelRule: TravelRuleProviders;
  },
  scope: Scope,
  paymentId: string,
): Promise<void> {
  const { db, vault, clock } = deps;
  const row = await db.read(scope, (tx) => findTravelRuleRecord(tx, scope, paymentId));
  const provider = deps.travelRule[scope.environment];
  if (row?.status !== 'WAITING' || provider === undefined) return;
  const known = row.sentAt === null ? null : await provider.ask(paymentId);
  const answer =
    known ??
    (await provider.announce(
      paymentId,
      vault.of(row).openJson<TravelTransfer>(row.record, travelRuleRow(paymentId)),
    ));
  const status = answer === 'PENDING' ? 'WAITING' : answer;
  await db.write(scope, (tx) => writeVaspAnswer(tx, scope, paymentId, status, clock.now()));
}
