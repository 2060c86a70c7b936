import type {
  CarryingNonce,
  StoredTransaction,
  TransactionKind,
  VoidWhy,
} from '../../domain/onchain/next-chain-step.ts';
import type { GasFees, MinedTransaction } from '../../domain/onchain/chain-facts.ts';
import type { SignedTransaction } from '../../domain/onchain/signer.ts';
import type { ChainPlace } from '../../domain/onchain/network.ts';
import type { ChainHold } from './chain-transfer-store.ts';
import type { SignerAccountKey } from './signer-account-store.ts';
import type { SystemTransaction } from '../client/database.ts';

/** Which nonce of which signer account. */
export interface NonceKey extends SignerAccountKey {
  readonly nonce: bigint;
}

interface TransactionRow extends StoredTransaction {
  readonly unsigned: Buffer;
  readonly raw: Buffer | null;
  /** Units of gas. */
  readonly gas: bigint;
}

/** A nonce whose outcome is not final, with the transfer that it carries; null where it carries none. */
export interface NonceRow extends NonceKey, CarryingNonce {
  readonly reference: string | null;
  readonly customerId: string | null;
  /** Why its transfer waits, where that is not its turn. */
  readonly hold: ChainHold | null;
  readonly contract: string | null;
  readonly recipient: string | null;
  /** Minor units of the token. */
  readonly amount: bigint | null;
  /** The block of what is SETTLED; null also where it was not written down. */
  readonly minedBlock: bigint | null;
  readonly transactions: readonly TransactionRow[];
}

/** Where a row is of the nonce that the parameters of a `NonceKey` name. */
export const IS_NONCE =
  'environment = :environment AND network = :network AND address = :address AND nonce = :nonce';

const keyOf = ({ environment, network, address, nonce }: NonceKey) => {
  return { environment, network, address, nonce };
};

/**
 * Nonces of a signer account that are not over, lowest first, each with all that was made for it, but for transfers
 * that were found on the chain and are no known payment's.
 */
export async function readOpenNonces(
  tx: SystemTransaction,
  signerAccount: SignerAccountKey,
): Promise<NonceRow[]> {
  const key = [signerAccount.environment, signerAccount.network, signerAccount.address];
  const nonces = await tx.query<Omit<NonceRow, 'transactions'>>(
    `SELECT n.environment, n.network, n.address, n.nonce, n.reference, n.state, n.void_why AS "voidWhy",
       n.mined_block AS "minedBlock", t.customer_id AS "customerId", t.hold, t.contract, t.recipient, t.amount
     FROM chain_nonces n LEFT JOIN chain_transfers t USING (reference)
     WHERE n.environment = $1 AND n.network = $2 AND n.address = $3 AND n.state IN ('OPEN', 'SETTLED')
       AND (n.mark IS NULL OR n.reference IS NOT NULL)
     ORDER BY n.nonce`,
    key,
  );
  const made = await tx.query<MadeRow>(
    `SELECT m.nonce, m.number, m.kind, m.unsigned, m.raw, m.hash, m.gas,
       m.max_fee_per_gas AS "maxFeePerGas", m.max_priority_fee_per_gas AS "maxPriorityFeePerGas",
       m.signed_at AS "signedAt", m.signed_at_block AS "signedAtBlock"
     FROM chain_nonces n JOIN chain_transactions m USING (environment, network, address, nonce)
     WHERE n.environment = $1 AND n.network = $2 AND n.address = $3 AND n.state IN ('OPEN', 'SETTLED')
     ORDER BY m.nonce, m.number`,
    key,
  );
  const byNonce = new Map<bigint, TransactionRow[]>(nonces.map(({ nonce }) => [nonce, []]));
  for (const { nonce, ...one } of made) byNonce.get(nonce)?.push(one);
  return nonces.map((row) => ({ ...row, transactions: byNonce.get(row.nonce) ?? [] }));
}

interface MadeRow extends TransactionRow {
  readonly nonce: bigint;
}

/** Keeps a nonce that the signer account has just taken for no transfer. */
export async function insertNonce(tx: SystemTransaction, key: NonceKey, now: Date): Promise<void> {
  await tx.query(
    `INSERT INTO chain_nonces (environment, network, address, nonce, created_at, updated_at)
     VALUES (:environment, :network, :address, :nonce, :now, :now)`,
    { ...keyOf(key), now },
  );
}

/** A transaction before it is signed. */
export interface NewTransaction {
  readonly number: number;
  readonly kind: TransactionKind;
  readonly unsigned: Uint8Array;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly gas: bigint;
}

/** Keeps what is to be signed. False where one of that number is there, which is then the one to sign. */
export async function insertTransaction(
  tx: SystemTransaction,
  key: NonceKey,
  made: NewTransaction,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO chain_transactions (environment, network, address, nonce, number, kind, unsigned,
       max_fee_per_gas, max_priority_fee_per_gas, gas, created_at)
     VALUES (:environment, :network, :address, :nonce, :number, :kind, :unsigned, :maxFeePerGas,
       :maxPriorityFeePerGas, :gas, :now)
     ON CONFLICT (environment, network, address, nonce, number) DO NOTHING RETURNING number`,
    { ...keyOf(key), ...made, unsigned: Buffer.from(made.unsigned), now },
  );
  return rows.length > 0;
}

/** How many nonces of a signer account are not over, of those that `readOpenNonces` reads. */
export async function countOpenNonces(
  tx: SystemTransaction,
  { environment, network, address }: SignerAccountKey,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM chain_nonces
     WHERE environment = $1 AND network = $2 AND address = $3 AND state IN ('OPEN', 'SETTLED')
       AND (mark IS NULL OR reference IS NOT NULL)`,
    [environment, network, address],
  );
  return row?.count ?? 0;
}

/** Whether a nonce of the network has had nothing signed since before that, so that all behind it waits. */
export async function isAnyUnsigned(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  before: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM chain_nonces n JOIN chain_transactions m USING (environment, network, address, nonce)
     WHERE n.environment = $1 AND n.network = $2 AND n.state IN ('OPEN', 'SETTLED') AND n.state = 'OPEN'
       AND m.raw IS NULL AND m.created_at < $3 LIMIT 1`,
    [environment, network, before],
  );
  return rows.length > 0;
}

/** A transfer to which a nonce is given, with what is to be signed for it. */
export interface NewCarried {
  readonly reference: string;
  readonly unsigned: Uint8Array;
  /** Units of gas. */
  readonly gas: bigint;
}

/** Gives the next nonces of a signer account that is locked to transfers that wait and are locked, in their order. */
export async function takeNonces(
  tx: SystemTransaction,
  { environment, network, address, nonce: first }: NonceKey,
  carried: readonly NewCarried[],
  { maxFeePerGas, maxPriorityFeePerGas }: GasFees,
  now: Date,
): Promise<void> {
  await tx.query(
    `SELECT take_chain_nonces(:environment, :network, :address, :first, :references::text[],
       :unsigned::bytea[], :gas::bigint[], :maxFeePerGas, :maxPriorityFeePerGas, :now)`,
    {
      ...{ environment, network, address, first, maxFeePerGas, maxPriorityFeePerGas, now },
      references: carried.map(({ reference }) => reference),
      unsigned: carried.map(({ unsigned }) => Buffer.from(unsigned)),
      gas: carried.map(({ gas }) => gas.toString()),
    },
  );
}

/** What was signed for a nonce, as its transaction of that number. */
export interface NewSignature extends SignedTransaction, Pick<NewTransaction, 'number' | 'kind'> {
  readonly nonce: bigint;
}

/** Whether the payment of a nonce goes to a wallet that is ACTIVE; a nonce without a payment goes to none. */
const MAY_PAY = `n.reference IS NULL OR EXISTS (SELECT FROM chain_transfers t
  JOIN payments p ON (p.customer_id, p.environment, p.id) = (t.customer_id, t.environment, t.payment_id)
  JOIN wallets w ON (w.customer_id, w.environment, w.id) = (p.customer_id, p.environment, p.wallet_id)
  WHERE t.reference = n.reference AND w.status = 'ACTIVE')`;

/** Nonces of what was signed, by what became of it. */
interface StoredSignatures {
  readonly stored: ReadonlySet<bigint>;
  /** They pay a wallet that was rejected or disabled. */
  readonly inactive: readonly bigint[];
}

/**
 * Keeps what was signed for nonces of a signer account, before it is sent. Only what is stored may be sent. Nothing is
 * stored where the signer account was frozen or given up meanwhile; and none of a nonce that is over, of which a signature
 * is there, or of which another transaction has taken the place of this one; nor what pays a wallet that is not ACTIVE.
 */
export async function storeSigned(
  tx: SystemTransaction,
  { environment, network, address }: SignerAccountKey,
  signed: readonly NewSignature[],
  at: { readonly now: Date; readonly head: bigint },
): Promise<StoredSignatures> {
  const key = { environment, network, address };
  const signerAccount = await tx.query(
    `SELECT FROM chain_signer_accounts WHERE environment = :environment AND network = :network
       AND address = :address AND status IN ('OPEN', 'ADOPTING') FOR SHARE`,
    key,
  );
  if (signerAccount.length === 0) return { stored: new Set(), inactive: [] };
  // The lock that bumps and voids take as well.
  const open = await tx.query<{ nonce: bigint; mayPay: boolean }>(
    `SELECT n.nonce, ${MAY_PAY} AS "mayPay" FROM chain_nonces n
     WHERE n.environment = :environment AND n.network = :network AND n.address = :address
       AND n.nonce = ANY (:nonces::bigint[]) AND n.state = 'OPEN' ORDER BY n.nonce FOR UPDATE OF n`,
    { ...key, nonces: signed.map(({ nonce }) => nonce.toString()) },
  );
  const mayPay = new Map(open.map((one) => [one.nonce, one.mayPay]));
  const isInactive = ({ nonce, kind }: NewSignature): boolean =>
    kind === 'TRANSFER' && mayPay.get(nonce) === false;
  const kept = signed.filter((one) => mayPay.has(one.nonce) && !isInactive(one));
  const inactive = signed.filter(isInactive).map(({ nonce }) => nonce);
  const rows = await tx.query<{ nonce: bigint }>(
    `UPDATE chain_transactions t SET raw = s.raw, hash = s.hash, signed_at = :now,
       signed_at_block = :head
     FROM unnest(:nonces::bigint[], :numbers::integer[], :raws::bytea[], :hashes::text[])
       AS s (nonce, number, raw, hash)
     WHERE t.environment = :environment AND t.network = :network AND t.address = :address
       AND t.nonce = s.nonce AND t.number = s.number AND t.raw IS NULL
       AND NOT EXISTS (SELECT FROM chain_transactions l
         WHERE (l.environment, l.network, l.address, l.nonce)
           = (t.environment, t.network, t.address, t.nonce) AND l.number > t.number)
     RETURNING t.nonce`,
    {
      ...{ ...key, ...at },
      nonces: kept.map(({ nonce }) => nonce.toString()),
      numbers: kept.map(({ number }) => number),
      raws: kept.map(({ raw }) => Buffer.from(raw)),
      hashes: kept.map(({ hash }) => hash),
    },
  );
  return { stored: new Set(rows.map(({ nonce }) => nonce)), inactive };
}

/** The nonce that carries a transfer and is not over, locked; null where none does. */
export async function findCarryingNonce(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  reference: string,
): Promise<NonceKey | null> {
  const rows = await tx.query<NonceKey>(
    `SELECT environment, network, address, nonce FROM chain_nonces
     WHERE environment = $1 AND network = $2 AND reference = $3 AND state IN ('OPEN', 'SETTLED') FOR UPDATE`,
    [environment, network, reference],
  );
  return rows[0] ?? null;
}

/** The transfer that a nonce carries which is not over; null where it carries none. */
export async function findCarriedReference(
  tx: SystemTransaction,
  key: NonceKey,
): Promise<string | null> {
  const rows = await tx.query<{ reference: string | null }>(
    `SELECT reference FROM chain_nonces WHERE ${IS_NONCE} AND state IN ('OPEN', 'SETTLED')`,
    keyOf(key),
  );
  return rows[0]?.reference ?? null;
}

/** Locks nonces of a signer account that are not over; what is over is left out. */
export async function lockNonces(
  tx: SystemTransaction,
  { environment, network, address }: SignerAccountKey,
  nonces: readonly bigint[],
): Promise<readonly Pick<NonceRow, 'nonce' | 'state' | 'voidWhy' | 'reference'>[]> {
  return tx.query<Pick<NonceRow, 'nonce' | 'state' | 'voidWhy' | 'reference'>>(
    `SELECT nonce, state, void_why AS "voidWhy", reference FROM chain_nonces
     WHERE environment = :environment AND network = :network AND address = :address
       AND nonce = ANY (:nonces::bigint[]) AND state IN ('OPEN', 'SETTLED') ORDER BY nonce FOR UPDATE`,
    { environment, network, address, nonces: nonces.map(String) },
  );
}

/** The same of one; null where it is over. */
export async function lockNonce(
  tx: SystemTransaction,
  key: NonceKey,
): Promise<Pick<NonceRow, 'state' | 'voidWhy' | 'reference'> | null> {
  return (await lockNonces(tx, key, [key.nonce]))[0] ?? null;
}

/** What used a nonce; null: nothing does any more. `fee` in wei. */
interface UsedNonce {
  readonly nonce: bigint;
  readonly mined: Pick<MinedTransaction, 'hash' | 'fee' | 'block'> | null;
}

type WrittenState = 'OPEN' | 'SETTLED' | 'FINAL' | 'REJECTED';

/** What the chain shows of nonces of a signer account that are locked, all of one state. */
export async function saveNonces(
  tx: SystemTransaction,
  { environment, network, address }: SignerAccountKey,
  state: WrittenState,
  used: readonly UsedNonce[],
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_nonces n SET state = :state, mined_hash = u.hash, mined_block = u.block, fee = u.fee,
       updated_at = :now
     FROM unnest(:nonces::bigint[], :hashes::text[], :blocks::bigint[], :fees::numeric[])
       AS u (nonce, hash, block, fee)
     WHERE n.environment = :environment AND n.network = :network AND n.address = :address
       AND n.nonce = u.nonce`,
    {
      ...{ environment, network, address, state, now },
      nonces: used.map(({ nonce }) => nonce.toString()),
      hashes: used.map(({ mined }) => mined?.hash ?? null),
      blocks: used.map(({ mined }) => mined?.block.number.toString() ?? null),
      fees: used.map(({ mined }) => mined?.fee.toString() ?? null),
    },
  );
}

/** The same of one nonce. */
export async function saveNonce(
  tx: SystemTransaction,
  { nonce, ...key }: NonceKey,
  { state, mined }: { readonly state: WrittenState; readonly mined: UsedNonce['mined'] },
  now: Date,
): Promise<void> {
  await saveNonces(tx, key, state, [{ nonce, mined }], now);
}

/**
 * From now on the nonce is to be used up by a transaction that moves nothing; what is mined decides. False
 * where it is settled, over, or to be voided already.
 */
export async function voidNonce(
  tx: SystemTransaction,
  key: NonceKey,
  why: VoidWhy,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE chain_nonces SET void_why = :why, updated_at = :now
     WHERE ${IS_NONCE} AND state = 'OPEN' AND void_why IS NULL RETURNING nonce`,
    { ...keyOf(key), why, now },
  );
  return rows.length > 0;
}

/**
 * Minor units of an asset that signer accounts of a network had signed for since a moment, but for some nonces: a
 * transfer counts once, from its first signature on, unless it moved nothing for good. It begins with what was signed
 * lately: nonces are kept for ever, and every signature waits for this sum.
 */
export async function sumSignedSince(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { asset, since, except }: SignedSum,
): Promise<bigint> {
  const [row] = await tx.query<{ sum: string }>(
    `SELECT coalesce(sum(t.amount), 0)::text AS sum ${SIGNED_SINCE} AND NOT EXISTS (
         SELECT FROM unnest(:addresses::text[], :firsts::bigint[], :lasts::bigint[])
           AS e (address, first, last)
         WHERE e.address = m.address AND m.nonce BETWEEN e.first AND e.last)`,
    {
      ...{ environment, network, asset, since },
      addresses: except.map(({ address }) => address),
      firsts: except.map(({ first }) => first.toString()),
      lasts: except.map(({ last }) => last.toString()),
    },
  );
  return BigInt(row?.sum ?? 0);
}

/** Where a row is a first signature for a transfer of an asset since a moment, unless it moved nothing for good. */
const SIGNED_SINCE = `FROM chain_transactions m
     JOIN chain_nonces n USING (environment, network, address, nonce) JOIN chain_transfers t USING (reference)
     WHERE t.asset = :asset AND m.environment = :environment AND m.network = :network
       AND m.number = 0 AND m.signed_at > :since AND n.state <> 'REJECTED'`;

/** The same of every nonce, by customer. */
export async function sumSignedByCustomer(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  asset: string,
  since: Date,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await tx.query<{ customerId: string; sum: string }>(
    `SELECT t.customer_id AS "customerId", sum(t.amount)::text AS sum ${SIGNED_SINCE}
     GROUP BY t.customer_id`,
    { environment, network, asset, since },
  );
  return new Map(rows.map(({ customerId, sum }) => [customerId, BigInt(sum)]));
}

/** Which asset, since when, and the nonces that do not count. */
interface SignedSum {
  readonly asset: string;
  readonly since: Date;
  readonly except: readonly {
    readonly address: string;
    readonly first: bigint;
    readonly last: bigint;
  }[];
}
