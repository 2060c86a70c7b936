import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

/** What was ordered to one address in one asset; minor units. */
interface WalletSum {
  readonly address: string;
  readonly currency: string;
  readonly minor: bigint;
}

/** Until it ends, no other transaction that asks for this accepts a payment to one of these addresses. */
export async function lockWalletSums(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  addresses: readonly string[],
): Promise<void> {
  // In one order, so that two transactions that want the same ones do not wait for each other.
  for (const address of [...new Set(addresses)].sort()) {
    await tx.query(
      `SELECT pg_advisory_xact_lock(
         hashtextextended('wallet-sums:' || $1 || ':' || $2 || ':' || $3, 0))`,
      [customerId, environment, address],
    );
  }
}

/**
 * What payments accepted after `after`, and no later than `until` where it is given, come to: by address, of whichever
 * owner and on whichever network and however often it was registered. Those that paid nothing out are left out.
 */
export async function readWalletSums(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  addresses: readonly string[],
  { after, until }: { readonly after: Date; readonly until: Date | null },
): Promise<WalletSum[]> {
  const rows = await tx.query<{ address: string; currency: string; minor: string }>(
    `SELECT w.address, p.currency, sum(p.amount)::text AS minor
     FROM wallets w JOIN payments p ON p.customer_id = w.customer_id
       AND p.environment = w.environment AND p.wallet_id = w.id
     WHERE w.customer_id = :customerId AND w.environment = :environment
       AND w.address = ANY (:addresses)
       AND p.created_at > :after AND (:until::timestamptz IS NULL OR p.created_at <= :until)
       AND p.status NOT IN ('FAILED', 'CANCELED', 'EXPIRED')
     GROUP BY w.address, p.currency`,
    { customerId, environment, addresses: [...new Set(addresses)], after, until },
  );
  return rows.map(({ minor, ...row }) => ({ ...row, minor: BigInt(minor) }));
}
