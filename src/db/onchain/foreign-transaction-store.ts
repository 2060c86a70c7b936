import type { NonceKey } from './chain-nonce-store.ts';
import type { AnyTransaction, ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** The approval by which the transaction of that hash is none of ours; null where nothing says so. */
export async function findForeign(
  tx: SystemTransaction,
  { environment, network, address, nonce }: NonceKey,
  hash: string,
): Promise<string | null> {
  const rows = await tx.query<{ approvalId: string }>(
    `SELECT approval_id AS "approvalId" FROM chain_foreign_transactions
     WHERE environment = :environment AND network = :network AND address = :address AND nonce = :nonce
       AND hash = :hash`,
    { environment, network, address, nonce, hash },
  );
  return rows[0]?.approvalId ?? null;
}

/** Keeps that a transaction of an address that is given up is none of ours; once. */
export async function insertForeign(
  tx: SystemTransaction,
  { environment, network, address, nonce }: NonceKey,
  { hash, approvalId }: { readonly hash: string; readonly approvalId: string },
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO chain_foreign_transactions (environment, network, address, nonce, hash, approval_id, created_at)
     VALUES (:environment, :network, :address, :nonce, :hash, :approvalId, :now)
     ON CONFLICT (environment, network, address, nonce, hash) DO NOTHING`,
    { environment, network, address, nonce, hash, approvalId, now },
  );
}

/** Keeps the same of `environment/network/address/nonce`, by the approval that this transaction uses. */
export async function nameForeign(
  tx: ScopedTransaction,
  name: string,
  { hash, approvalId }: { readonly hash: string; readonly approvalId: string },
  now: Date,
): Promise<void> {
  const [environment, network, address, nonce] = name.split('/');
  await tx.query(
    `SELECT name_foreign_transaction(:environment, :network, :address, :nonce::bigint, :hash,
       :approvalId, :now)`,
    { environment, network, address, nonce, hash, approvalId, now },
  );
}

/** What two operators say that a transaction which was not made by us did for the payment of its nonce. */
export type ForeignOutcome = 'PAID' | 'NOT_PAID';

/** Which transaction, of the nonce that carries which reference. */
export interface ForeignPayment extends NonceKey {
  readonly hash: string;
  readonly outcome: ForeignOutcome;
  readonly reference: string;
}

/** What two operators say of the transaction of that hash, which used the nonce, and the payment of a reference. */
export async function readForeignOutcomes(
  tx: SystemTransaction,
  { environment, network, address, nonce }: NonceKey,
  hash: string,
  reference: string,
): Promise<readonly ForeignOutcome[]> {
  const rows = await tx.query<{ outcome: ForeignOutcome }>(
    `SELECT outcome FROM chain_foreign_payments
     WHERE environment = :environment AND network = :network AND address = :address AND nonce = :nonce
       AND hash = :hash AND reference = :reference`,
    { environment, network, address, nonce, hash, reference },
  );
  return rows.map(({ outcome }) => outcome);
}

/** Keeps it, by the approval that this transaction uses. The database refuses it of a nonce that carries another payment. */
export async function insertForeignPayment(
  tx: ScopedTransaction,
  { environment, network, address, nonce, hash, outcome, reference }: ForeignPayment,
  approvalId: string,
  now: Date,
): Promise<void> {
  await tx.query(
    `SELECT name_foreign_payment(:environment, :network, :address, :nonce::bigint, :hash, :outcome,
       :reference, :approvalId, :now)`,
    { environment, network, address, nonce, hash, outcome, reference, approvalId, now },
  );
}

/**
 * Whether a network may have paid a reference, or one of the next attempts after it, without the database's
 * knowledge. Until that is known its funds are not given back, and no other nonce takes it.
 */
export async function mayChainHavePaid(
  tx: AnyTransaction,
  { environment, network }: { readonly environment: string; readonly network: string },
  reference: string,
): Promise<boolean> {
  const [row] = await tx.query<{ may: boolean }>('SELECT may_chain_have_paid($1, $2, $3) AS may', [
    environment,
    network,
    reference,
  ]);
  return row?.may !== false;
}
