import type { Network } from '../../domain/onchain/network.ts';
import { toPage } from '../../domain/lists.ts';
import type { Page, PageRequest } from '../../domain/lists.ts';
import type {
  AddressVerdict,
  LookUpReason,
} from '../../domain/parties/screening/address-screening.ts';
import type { ReviewState } from '../../domain/parties/screening/wallet-verdict.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { ownerKeyOf } from './end-user-key-store.ts';

export const WALLET_OWNERSHIPS = ['SELF_HOSTED', 'HOSTED'] as const;
export type WalletOwnership = (typeof WALLET_OWNERSHIPS)[number];

/** PENDING: its address is not cleared. REJECTED: the address is on a list of addresses. */
export const WALLET_STATUSES = ['PENDING', 'ACTIVE', 'REJECTED', 'DISABLED'] as const;
export type WalletStatus = (typeof WALLET_STATUSES)[number];

/** One wallet as stored. */
export interface WalletRow {
  readonly id: string;
  readonly seq: bigint;
  /** Null: the customer's own. */
  readonly endUserId: string | null;
  readonly network: Network;
  /** In EIP-55's mixed case; `erased-` and the id where the end-user was erased. */
  readonly address: string;
  readonly ownership: WalletOwnership;
  /** Sealed name and country of the host; null for SELF_HOSTED. */
  readonly vasp: Buffer | null;
  /** See `KeyOwner`; null also for the customer's own. */
  readonly ownerKey: Buffer | null;
  readonly status: WalletStatus;
  /** 32 hex digits of the message that is signed to prove the ownership. */
  readonly proofNonce: string;
  readonly provedAt: Date | null;
  /** What the address was last found to be; null where it was never looked up. */
  readonly screeningResult: AddressVerdict | null;
  readonly screeningList: string | null;
  readonly screeningMatch: string | null;
  /** `wrv_...` of what was found; null where the address was clear. */
  readonly reviewId: string | null;
  /** How that stands. */
  readonly review: ReviewState | null;
  readonly screenedFor: LookUpReason | null;
  readonly screenedAt: Date | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface NewWallet {
  readonly id: string;
  readonly endUserId: string | null;
  readonly network: Network;
  readonly address: string;
  readonly ownership: WalletOwnership;
  readonly vasp: Buffer | null;
  readonly proofNonce: string;
  readonly at: Date;
}

export interface WalletFilter {
  /** One wallet, if it passes the other filters. */
  readonly id?: string;
  /** In EIP-55's case. */
  readonly address?: string;
  readonly endUserId?: string;
  readonly status?: WalletStatus;
  readonly network?: Network;
}

/** What names a wallet beside its id. */
type WalletPlace = Pick<WalletRow, 'endUserId' | 'network' | 'address'>;

const COLUMNS = `id, seq, end_user_id AS "endUserId", network, address, ownership, vasp,
  ${ownerKeyOf('wallets.end_user_id')}, status, proof_nonce AS "proofNonce",
  proved_at AS "provedAt", screening_result AS "screeningResult",
  screening_list AS "screeningList", screening_match AS "screeningMatch", review_id AS "reviewId",
  (SELECT coalesce(r.outcome, 'OPEN') FROM wallet_reviews r WHERE r.customer_id = wallets.customer_id
     AND r.environment = wallets.environment AND r.wallet_id = wallets.id
     AND r.id = wallets.review_id) AS review,
  screened_for AS "screenedFor", screened_at AS "screenedAt",
  version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Stores a new wallet, PENDING. Null where the owner has the same one, not DISABLED. */
export async function insertWallet(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  wallet: NewWallet,
): Promise<WalletRow | null> {
  const rows = await tx.query<WalletRow>(
    `INSERT INTO wallets (customer_id, environment, id, end_user_id, network, address, ownership,
       vasp, proof_nonce, created_at, updated_at)
     VALUES (:customerId, :environment, :id, :endUserId, :network, :address, :ownership,
       :vasp, :proofNonce, :at, :at)
     ON CONFLICT (customer_id, environment, network, address, coalesce(end_user_id, ''))
       WHERE status <> 'DISABLED' DO NOTHING
     RETURNING ${COLUMNS}`,
    { customerId, environment, ...wallet },
  );
  return rows[0] ?? null;
}

export function findWallet(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<WalletRow | null> {
  return readWallet(tx, scope, id, '');
}

/** Reads a wallet to change it: payments that share it are waited for. */
export function lockWallet(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<WalletRow | null> {
  return readWallet(tx, scope, id, 'FOR UPDATE');
}

async function readWallet(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
  lock: '' | 'FOR UPDATE',
): Promise<WalletRow | null> {
  const rows = await tx.query<WalletRow>(
    `SELECT ${COLUMNS} FROM wallets
     WHERE customer_id = $1 AND environment = $2 AND id = $3 ${lock}`,
    [scope.customerId, scope.environment, id],
  );
  return rows[0] ?? null;
}

/** The owner's wallet of that address which is not DISABLED. */
export async function findWalletAt(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { endUserId, network, address }: WalletPlace,
): Promise<WalletRow | null> {
  const rows = await tx.query<WalletRow>(
    `SELECT ${COLUMNS} FROM wallets
     WHERE customer_id = :customerId AND environment = :environment AND network = :network
       AND address = :address AND coalesce(end_user_id, '') = :owner AND status <> 'DISABLED'`,
    { customerId, environment, network, address, owner: endUserId ?? '' },
  );
  return rows[0] ?? null;
}

/** What changes of a wallet with a version of its own. */
interface WalletMove {
  /** The same as before where it is left out. */
  readonly status?: Exclude<WalletStatus, 'PENDING'>;
  readonly provedAt?: Date;
}

/** Writes the next version of a wallet. The caller holds its lock. The database refuses a move that is not legal. */
export async function moveWallet(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { id, version }: Pick<WalletRow, 'id' | 'version'>,
  { status, provedAt }: WalletMove,
  at: Date,
): Promise<WalletRow> {
  const rows = await tx.query<WalletRow>(
    `UPDATE wallets SET status = coalesce(:status, status),
       proved_at = coalesce(:provedAt, proved_at), version = version + 1, updated_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = :id
       AND version = :version
     RETURNING ${COLUMNS}`,
    {
      ...{ customerId, environment, id, version, at },
      ...{ status: status ?? null, provedAt: provedAt ?? null },
    },
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`wallet ${id} changed under its lock`);
  return row;
}

/** Writes what an address was found to be. The caller holds the wallet's lock. */
export async function writeWalletScreening(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  id: string,
  screening: {
    readonly verdict: AddressVerdict;
    readonly list: string;
    readonly match: string | null;
    readonly reviewId: string | null;
    readonly reason: LookUpReason;
    readonly at: Date;
  },
): Promise<void> {
  await tx.query(
    `UPDATE wallets SET screening_result = :verdict, screening_list = :list,
       screening_match = :match, review_id = :reviewId, screened_for = :reason, screened_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = :id`,
    { customerId, environment, id, ...screening },
  );
}

const CONDITIONS: Readonly<Record<keyof WalletFilter | 'before', string>> = {
  id: 'id = :id',
  address: 'address = :address',
  endUserId: 'end_user_id = :endUserId',
  status: 'status = :status',
  network: 'network = :network',
  before: 'seq < :before',
};

/** Wallets that pass every given filter, newest first. */
export async function listWallets(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  filter: WalletFilter,
  page: PageRequest,
): Promise<Page<WalletRow>> {
  const given = { ...filter, before: page.before ?? undefined };
  // Only what is asked for stands in the statement: a plan for "or null" would use no index.
  const names = Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[];
  const asked = names.filter((name) => given[name] !== undefined);
  const rows = await tx.query<WalletRow>(
    `SELECT ${COLUMNS} FROM wallets
     WHERE ${['customer_id = :customerId', 'environment = :environment', ...asked.map((name) => CONDITIONS[name])].join(' AND ')}
     ORDER BY seq DESC LIMIT :rows`,
    {
      ...{ customerId, environment, rows: page.limit + 1 },
      ...Object.fromEntries(asked.map((name) => [name, given[name]])),
    },
  );
  return toPage(rows, page.limit);
}
