import type { ChainPlace } from '../../domain/onchain/network.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** Which signer account: a hot address on one network of one environment. */
export interface SignerAccountKey extends ChainPlace {
  /** In the mixed case of EIP-55. */
  readonly address: string;
}

export interface SignerAccountRow extends SignerAccountKey {
  /** What its next transaction takes. */
  readonly nextNonce: bigint;
  /**
   * ADOPTING: thawed, and what the chain has and the database has not is looked for. RETIRING: given up for
   * ever, and the same; RETIRED: it is found.
   */
  readonly status: 'OPEN' | 'FROZEN' | 'ADOPTING' | 'RETIRING' | 'RETIRED';
  /** The approval by which it was given up. */
  readonly retiredBy: string | null;
  /** A code, while it is frozen. */
  readonly why: string | null;
  /** What the last poll cycle found that freezes it where the next one finds it too. */
  readonly suspicion: string | null;
  /** While it is ADOPTING: before the restore nothing was signed for this nonce or a later one. */
  readonly fence: bigint | null;
  /** The most nonces that are not final which it ever had, or might have, at a time. */
  readonly notFinalMax: number;
  /** A restore began after it was opened, or thawed last. */
  readonly isRestored: boolean;
  /**
   * It was given up while something that the database does not know may have been signed for it, and operators
   * have not said yet that nothing of that can be mined any more.
   */
  readonly mayStillPay: boolean;
}

const IS_RESTORED = `EXISTS (SELECT FROM restore_mode r
  WHERE r.begun_at > coalesce(l.thawed_at, l.created_at))`;
const MAY_STILL_PAY = '(may_still_pay AND ended_by IS NULL)';
const COLUMNS = `environment, network, address, next_nonce AS "nextNonce", status, why, suspicion, fence,
  not_final_max AS "notFinalMax",
  retired_by AS "retiredBy", ${IS_RESTORED} AS "isRestored", ${MAY_STILL_PAY} AS "mayStillPay"`;
const IS_SIGNER_ACCOUNT =
  'environment = :environment AND network = :network AND address = :address';

const keyOf = ({ environment, network, address }: SignerAccountKey) => ({
  environment,
  network,
  address,
});

/** Opens a signer account with the nonce that the chain gives; one that is there stays as it is. */
export async function openSignerAccount(
  tx: SystemTransaction,
  key: SignerAccountKey,
  firstNonce: bigint,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO chain_signer_accounts (environment, network, address, first_nonce, next_nonce, status,
       created_at, updated_at)
     VALUES (:environment, :network, :address, :firstNonce, :firstNonce, 'OPEN', :now, :now)
     ON CONFLICT (environment, network, address) DO NOTHING`,
    { ...keyOf(key), firstNonce, now },
  );
}

/** Null where it was never opened. */
export async function findSignerAccount(
  tx: SystemTransaction,
  key: SignerAccountKey,
): Promise<SignerAccountRow | null> {
  const rows = await tx.query<SignerAccountRow>(
    `SELECT ${COLUMNS} FROM chain_signer_accounts l WHERE ${IS_SIGNER_ACCOUNT}`,
    keyOf(key),
  );
  return rows[0] ?? null;
}

/** Locks a signer account; null where it was never opened. */
export async function lockSignerAccount(
  tx: SystemTransaction,
  key: SignerAccountKey,
): Promise<SignerAccountRow | null> {
  const rows = await tx.query<SignerAccountRow>(
    `SELECT ${COLUMNS} FROM chain_signer_accounts l WHERE ${IS_SIGNER_ACCOUNT} FOR UPDATE OF l`,
    keyOf(key),
  );
  return rows[0] ?? null;
}

/**
 * Keeps that a signer account may have so many nonces that are not final at a time, before it has them. What is kept only
 * grows: after a restore, so many may have been signed for.
 */
export async function keepNotFinalMax(
  tx: SystemTransaction,
  key: SignerAccountKey,
  notFinalMax: number,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_signer_accounts SET not_final_max = :notFinalMax, updated_at = :now
     WHERE ${IS_SIGNER_ACCOUNT} AND not_final_max < :notFinalMax`,
    { ...keyOf(key), notFinalMax, now },
  );
}

/** Takes the next nonce of a signer account that is locked and not frozen. */
export async function takeNonce(
  tx: SystemTransaction,
  signerAccount: SignerAccountRow,
  now: Date,
): Promise<bigint> {
  await tx.query(
    `UPDATE chain_signer_accounts SET next_nonce = next_nonce + 1, updated_at = :now WHERE ${IS_SIGNER_ACCOUNT}`,
    { ...keyOf(signerAccount), now },
  );
  return signerAccount.nextNonce;
}

/** Reasons that say nothing of what the database may have forgotten. */
const HARMLESS = "('OPERATOR', 'SIGNING_REFUSED')";

/**
 * Freezes a signer account: it signs nothing new. One that was ADOPTING is frozen as RESTORED, so that it adopts from
 * the beginning when it is thawed. False where it was frozen before, for that or a graver reason.
 */
export async function freezeSignerAccount(
  tx: SystemTransaction,
  key: SignerAccountKey,
  why: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE chain_signer_accounts SET status = 'FROZEN', fence = NULL, updated_at = :now,
       why = CASE WHEN status = 'ADOPTING' AND :why IN ${HARMLESS} THEN 'RESTORED' ELSE :why END
     WHERE ${IS_SIGNER_ACCOUNT} AND (status IN ('OPEN', 'ADOPTING') OR (:why = 'RESTORED' AND why <> 'RESTORED')
       OR (why IN ${HARMLESS} AND :why NOT IN ${HARMLESS}))
     RETURNING address`,
    { ...keyOf(key), why, now },
  );
  return rows.length > 0;
}

/** Keeps what a poll cycle found, or that it found nothing, for the next one. */
export async function keepSuspicion(
  tx: SystemTransaction,
  key: SignerAccountKey,
  suspicion: string | null,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_signer_accounts SET suspicion = :suspicion, updated_at = :now
     WHERE ${IS_SIGNER_ACCOUNT} AND suspicion IS DISTINCT FROM :suspicion`,
    { ...keyOf(key), suspicion, now },
  );
}

/**
 * Opens a signer account that the restored database does not know, frozen and from the address's first nonce on: what
 * was sent before the restore is adopted when it is thawed. One that is there stays as it is.
 */
export async function openSignerAccountAfterRestore(
  tx: SystemTransaction,
  key: SignerAccountKey,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO chain_signer_accounts (environment, network, address, first_nonce, next_nonce, status, why,
       created_at, updated_at)
     VALUES (:environment, :network, :address, 0, 0, 'FROZEN', 'RESTORED', :now, :now)
     ON CONFLICT (environment, network, address) DO NOTHING`,
    { ...keyOf(key), now },
  );
}

/** Keeps the first nonce for which nothing can have been signed before the restore. */
export async function setFence(
  tx: SystemTransaction,
  key: SignerAccountKey,
  fence: bigint,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_signer_accounts SET fence = :fence, updated_at = :now
     WHERE ${IS_SIGNER_ACCOUNT} AND status = 'ADOPTING' AND fence IS NULL`,
    { ...keyOf(key), fence, now },
  );
}

/** Forgets the fence: something was found that was not known when it was set. */
export async function forgetFence(
  tx: SystemTransaction,
  key: SignerAccountKey,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_signer_accounts SET fence = NULL, updated_at = :now
     WHERE ${IS_SIGNER_ACCOUNT} AND status = 'ADOPTING' AND fence IS NOT NULL`,
    { ...keyOf(key), now },
  );
}

/** Ends a signer account's adoption: it pays again. */
export async function reopenSignerAccount(
  tx: SystemTransaction,
  key: SignerAccountKey,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_signer_accounts SET status = 'OPEN', fence = NULL, suspicion = NULL, updated_at = :now
     WHERE ${IS_SIGNER_ACCOUNT} AND status = 'ADOPTING'`,
    { ...keyOf(key), now },
  );
}

/**
 * Ends what a signer account that was given up has to learn: all that it paid is known, and it can pay nothing more.
 */
export async function endRetirement(
  tx: SystemTransaction,
  key: SignerAccountKey,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_signer_accounts SET status = 'RETIRED', updated_at = :now
     WHERE ${IS_SIGNER_ACCOUNT} AND status = 'RETIRING'`,
    { ...keyOf(key), now },
  );
}

/**
 * Addresses of the network of which something is left to follow: a nonce that is not over, or what an address
 * paid before it was given up.
 */
export async function readFollowedSignerAccounts(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
): Promise<string[]> {
  const rows = await tx.query<{ address: string }>(
    `SELECT address FROM chain_signer_accounts l WHERE environment = $1 AND network = $2
       AND (status IN ('ADOPTING', 'RETIRING', 'RETIRED') OR EXISTS (SELECT FROM chain_nonces n
         WHERE (n.environment, n.network, n.address) = (l.environment, l.network, l.address)
           AND n.state IN ('OPEN', 'SETTLED')))
     ORDER BY address`,
    [environment, network],
  );
  return rows.map(({ address }) => address);
}

/** Addresses of the network that sign: they pay, or use nonces up after a restore. */
export async function readSigningAddresses(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
): Promise<string[]> {
  const rows = await tx.query<{ address: string }>(
    `SELECT address FROM chain_signer_accounts WHERE environment = $1 AND network = $2
       AND status IN ('OPEN', 'ADOPTING') ORDER BY address`,
    [environment, network],
  );
  return rows.map(({ address }) => address);
}

/** How the signer accounts of a network stand. */
export async function readSignerStatuses(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
): Promise<readonly SignerAccountRow['status'][]> {
  const rows = await tx.query<Pick<SignerAccountRow, 'status'>>(
    'SELECT status FROM chain_signer_accounts WHERE environment = $1 AND network = $2',
    [environment, network],
  );
  return rows.map(({ status }) => status);
}

/** The signer accounts that are given up for ever: they sign nothing more. */
export async function readGivenUpSignerAccounts(
  tx: SystemTransaction,
): Promise<SignerAccountKey[]> {
  return tx.query<SignerAccountKey>(
    `SELECT environment, network, address FROM chain_signer_accounts WHERE status IN ('RETIRING', 'RETIRED')`,
    [],
  );
}

/** Whether the database was ever restored, as far as it knows. */
export async function wasEverRestored(tx: SystemTransaction): Promise<boolean> {
  const rows = await tx.query('SELECT FROM restore_mode LIMIT 1', []);
  return rows.length > 0;
}

/**
 * Whether an address of the network may have paid what the database does not know, or the network went back
 * behind a final block. While that may be, none takes another transfer: it could be one that is paid. The rule is
 * the database's own, and part of `may_chain_have_paid`.
 */
export async function isAnySignerAccountUnsure(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
): Promise<boolean> {
  const [row] = await tx.query<{ isUnsure: boolean }>(
    'SELECT is_chain_unsure($1, $2) AS "isUnsure"',
    [environment, network],
  );
  return row?.isUnsure !== false;
}

/**
 * Whether it is time to look at the coin of a signer account's address: false where it was looked at since the moment
 * given. From then on it was looked at now.
 */
export async function beginGasLook(
  tx: SystemTransaction,
  key: SignerAccountKey,
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE chain_signer_accounts SET gas_looked_at = :now
     WHERE ${IS_SIGNER_ACCOUNT} AND (gas_looked_at IS NULL OR gas_looked_at <= :since) RETURNING address`,
    { ...keyOf(key), since, now },
  );
  return rows.length > 0;
}

/** Keeps what was found, and since when the address has too little of the coin. */
export async function keepGasLook(
  tx: SystemTransaction,
  key: SignerAccountKey,
  isLow: boolean,
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_signer_accounts SET is_low_on_gas = :isLow,
       low_on_gas_since = CASE WHEN :isLow THEN coalesce(low_on_gas_since, :now) END
     WHERE ${IS_SIGNER_ACCOUNT} AND is_low_on_gas <> :isLow`,
    { ...keyOf(key), isLow, now },
  );
}

/** A signer account as operators see it. */
export interface ListedSignerAccount extends SignerAccountKey {
  readonly nextNonce: bigint;
  readonly status: SignerAccountRow['status'];
  readonly why: string | null;
  /** Its nonces that are not over. */
  readonly open: number;
  /** It had too little of the coin when that was looked at last. */
  readonly isLowOnGas: boolean;
  /** It is given up, and waits for operators to say that nothing signed for it can be mined any more. */
  readonly mayStillPay: boolean;
}

/** Every signer account. */
export async function listSignerAccounts(tx: SystemTransaction): Promise<ListedSignerAccount[]> {
  return tx.query<ListedSignerAccount>(
    `SELECT environment, network, address, next_nonce AS "nextNonce", status, why,
       is_low_on_gas AS "isLowOnGas", ${MAY_STILL_PAY} AS "mayStillPay",
       (SELECT count(*)::integer FROM chain_nonces n WHERE (n.environment, n.network, n.address)
          = (l.environment, l.network, l.address) AND n.state IN ('OPEN', 'SETTLED')
          AND (n.mark IS NULL OR n.reference IS NOT NULL)) AS open
     FROM chain_signer_accounts l ORDER BY environment, network, address`,
    [],
  );
}

/** What a proposal about a signer account is about: how often it was frozen or thawed, and how it stands. */
export interface SignerAccountStand extends Pick<
  SignerAccountRow,
  'status' | 'why' | 'mayStillPay'
> {
  readonly version: number;
}

/** Null where it was never opened. */
export async function findSignerAccountStand(
  tx: SystemTransaction,
  key: SignerAccountKey,
): Promise<SignerAccountStand | null> {
  const rows = await tx.query<SignerAccountStand>(
    `SELECT version, status, why, ${MAY_STILL_PAY} AS "mayStillPay" FROM chain_signer_accounts WHERE ${IS_SIGNER_ACCOUNT}`,
    keyOf(key),
  );
  return rows[0] ?? null;
}

/** Thaws `environment/network/address` by the approval that this transaction uses; null where it is not frozen. */
export async function thawSignerAccountRow(
  tx: ScopedTransaction,
  name: string,
  now: Date,
): Promise<string | null> {
  const [environment, network, address] = name.split('/');
  const rows = await tx.query<{ status: string | null }>(
    'SELECT thaw_chain_signer_account(:environment, :network, :address, :now) AS status',
    { environment, network, address, now },
  );
  return rows[0]?.status ?? null;
}

/**
 * Gives `environment/network/address` up by the approval that this transaction uses, or says of one that is given up
 * that nothing signed for it can be mined any more. False where it is neither frozen nor waits for that.
 */
export async function retireSignerAccountRow(
  tx: ScopedTransaction,
  name: string,
  approvalId: string,
  now: Date,
): Promise<boolean> {
  const [environment, network, address] = name.split('/');
  const rows = await tx.query<{ isRetired: boolean }>(
    `SELECT retire_chain_signer_account(:environment, :network, :address, :approvalId, :now) AS "isRetired"`,
    { environment, network, address, approvalId, now },
  );
  return rows[0]?.isRetired === true;
}
