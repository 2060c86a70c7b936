import type { ChainPlace } from '../../domain/onchain/network.ts';
import type { SignerAccountKey } from './signer-account-store.ts';
import { IS_NONCE, type NonceKey } from './chain-nonce-store.ts';
import type { SystemTransaction } from '../client/database.ts';

/** What one signer account is to give to another. */
interface NewTopUp {
  /** The signer account that is short, in EIP-55's mixed case. */
  readonly recipient: string;
  /** In wei. */
  readonly amount: bigint;
  /** The final block at which it was short. */
  readonly plannedBlock: bigint;
}

const keyOf = ({ environment, network, address, nonce }: NonceKey) => {
  return { environment, network, address, nonce };
};

/**
 * Gives a nonce that the signer account has just taken to a top-up. Refused where the recipient is not open, another
 * top-up of it is under way, or the network is unsure.
 */
export async function insertTopUp(
  tx: SystemTransaction,
  key: NonceKey,
  { recipient, amount, plannedBlock }: NewTopUp,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO chain_top_ups (environment, network, address, nonce, recipient, amount, planned_block,
       created_at, updated_at)
     VALUES (:environment, :network, :address, :nonce, :recipient, :amount, :plannedBlock, :now, :now)`,
    { ...keyOf(key), recipient, amount: amount.toString(), plannedBlock, now },
  );
}

/**
 * Whether a signer account may be topped up by what a final block says of it: no top-up of it is under way, the last
 * one lies in that block or before it, and none has ended without an effect since a moment.
 */
export async function isTopUpFree(
  tx: SystemTransaction,
  { environment, network, address }: SignerAccountKey,
  { plannedBlock, since }: { readonly plannedBlock: bigint; readonly since: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM chain_top_ups u JOIN chain_signer_accounts g USING (environment, network, address)
     WHERE u.environment = :environment AND u.network = :network AND u.recipient = :address
       AND ((u.state = 'OPEN' AND g.status <> 'RETIRED') OR u.block_number > :plannedBlock
         OR (u.state = 'REJECTED' AND u.updated_at > :since)) LIMIT 1`,
    { environment, network, address, plannedBlock, since },
  );
  return rows.length === 0;
}

/** Keeps the number of the block that holds a top-up, before its nonce ends; of any other nonce nothing. */
export async function keepTopUpBlock(
  tx: SystemTransaction,
  key: NonceKey,
  block: bigint,
): Promise<void> {
  await tx.query(
    `UPDATE chain_top_ups SET block_number = :block WHERE ${IS_NONCE} AND state = 'OPEN'`,
    { ...keyOf(key), block },
  );
}

/**
 * The nonces of a signer account that carry a top-up of a signer account which was frozen or given up meanwhile are to
 * be used up: its key may be in other hands. What is mined decides.
 */
export async function giveUpTopUps(
  tx: SystemTransaction,
  { environment, network, address }: SignerAccountKey,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_nonces n SET void_why = 'VOIDED', updated_at = :now
     FROM chain_top_ups u JOIN chain_signer_accounts l
       ON (l.environment, l.network, l.address) = (u.environment, u.network, u.recipient)
     WHERE (u.environment, u.network, u.address, u.nonce) = (n.environment, n.network, n.address, n.nonce)
       AND n.environment = :environment AND n.network = :network AND n.address = :address
       AND n.state = 'OPEN' AND n.void_why IS NULL AND l.status <> 'OPEN'`,
    { environment, network, address, now },
  );
}

/** Every address of the network that was ever a signer account, as far as the database knows. */
export async function readSignerAccountAddresses(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
): Promise<string[]> {
  const rows = await tx.query<{ address: string }>(
    'SELECT address FROM chain_signer_accounts WHERE environment = $1 AND network = $2',
    [environment, network],
  );
  return rows.map(({ address }) => address);
}
