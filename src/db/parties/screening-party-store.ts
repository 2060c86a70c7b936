import type { Environment, Scope } from '../../domain/scope.ts';
import type { ScreeningStatus } from '../../domain/parties/screening/screening-verdict.ts';
import type { PartyRef } from '../../domain/workflows/work-refs.ts';
import type { AnyTransaction, ScopedTransaction, SystemTransaction } from '../client/database.ts';
import { ownerKeyOf } from './end-user-key-store.ts';

/** An end-user or a bank account as screening sees it. */
export interface ScreenedParty {
  readonly id: string;
  readonly customerId: string;
  readonly environment: Environment;
  /** Of an end-user its type, of an account its holder's. */
  readonly type: 'INDIVIDUAL' | 'BUSINESS';
  /** Sealed for the party's row. Also tells whether the names are still those that were looked up. */
  readonly personal: Buffer;
  readonly status: ScreeningStatus;
  /** Whose key opens `personal`: see `KeyOwner`. */
  readonly endUserId: string;
  readonly ownerKey: Buffer | null;
}

type PartyKind = PartyRef['kind'];

const TABLES = { END_USER: 'end_users', BANK_ACCOUNT: 'bank_accounts' } as const;
const TYPES = { END_USER: 'type', BANK_ACCOUNT: 'holder_type' } as const;
const OWNERS = { END_USER: 'p.id', BANK_ACCOUNT: 'p.end_user_id' } as const;
const IN_USE = {
  END_USER: "p.status <> 'CLOSED'",
  // Of an erased end-user there is nothing left to look up.
  BANK_ACCOUNT: "p.status = 'ACTIVE' AND octet_length(p.personal) > 0",
} as const;

const columnsOf = (kind: PartyKind): string =>
  `p.id, p.customer_id AS "customerId", p.environment, p.${TYPES[kind]} AS type, p.personal,
   p.screening_status AS status, ${OWNERS[kind]} AS "endUserId", ${ownerKeyOf(OWNERS[kind])}`;

export function findPartyToScreen(
  tx: ScopedTransaction,
  scope: Scope,
  party: PartyRef,
): Promise<ScreenedParty | null> {
  return readParty(tx, scope, party, '');
}

/** Reads a party whose screening this transaction is going to write: claims wait for its commit. */
export function lockPartyToScreen(
  tx: AnyTransaction,
  scope: Scope,
  party: PartyRef,
): Promise<ScreenedParty | null> {
  return readParty(tx, scope, party, 'FOR NO KEY UPDATE');
}

async function readParty(
  tx: AnyTransaction,
  scope: Scope,
  { kind, id }: PartyRef,
  lock: '' | 'FOR NO KEY UPDATE',
): Promise<ScreenedParty | null> {
  const rows = await tx.query<ScreenedParty>(
    `SELECT ${columnsOf(kind)} FROM ${TABLES[kind]} p
     WHERE p.customer_id = $1 AND p.environment = $2 AND p.id = $3 ${lock}`,
    [scope.customerId, scope.environment, id],
  );
  return rows[0] ?? null;
}

/** Writes what a look-up came to, of a locked party. The database refuses what its cases do not allow. */
export async function writeScreening(
  tx: AnyTransaction,
  scope: Scope,
  { kind, id }: PartyRef,
  screening: {
    readonly status: ScreeningStatus;
    readonly list: string | null;
    readonly at: Date | null;
  },
): Promise<void> {
  await tx.query(
    `UPDATE ${TABLES[kind]} SET screening_status = :status, screening_list = :list, screened_at = :at
     WHERE customer_id = :customerId AND environment = :environment AND id = :id`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      id,
      status: screening.status,
      list: screening.list,
      at: screening.at,
    },
  );
}

/** Which parties a look through all of them is about. */
export interface PartiesWanted {
  readonly kind: PartyKind;
  readonly environment: Environment;
  /** The version of the list that they were not looked up in yet. */
  readonly version: string;
}

/** Up to where a look has come, by id, and whom it found on the way. */
interface PartyPage {
  readonly parties: readonly ScreenedParty[];
  /** Null: there is no one behind. */
  readonly through: string | null;
}

const isDue = (kind: PartyKind): string => `${IN_USE[kind]} AND p.screening_status <> 'REFUSED'
  AND (p.screening_status = 'UNSCREENED' OR p.screening_list IS DISTINCT FROM :version)`;

/** Parties after `afterId` that a payment is under way for, by id. */
export async function listPayingToScreen(
  tx: SystemTransaction,
  { kind, environment, version }: PartiesWanted,
  afterId: string,
  limit: number,
): Promise<PartyPage> {
  const column = kind === 'END_USER' ? 'end_user_id' : 'bank_account_id';
  const parties = await tx.query<ScreenedParty>(
    `WITH paying AS MATERIALIZED (
       SELECT DISTINCT ${column} AS id FROM payments
       WHERE status IN ('PROCESSING', 'ON_HOLD', 'SENT') AND environment = :environment
         AND ${column} > :afterId)
     SELECT ${columnsOf(kind)} FROM paying JOIN ${TABLES[kind]} p ON p.id = paying.id
     WHERE ${isDue(kind)} ORDER BY p.id LIMIT :limit`,
    { environment, version, afterId, limit },
  );
  const last = parties.at(-1);
  return { parties, through: parties.length < limit ? null : (last?.id ?? null) };
}

/** Of the next `limit` parties after `afterId` those that are due: a look past many costs no more. */
export async function listPartiesToScreen(
  tx: SystemTransaction,
  { kind, environment, version }: PartiesWanted,
  afterId: string,
  limit: number,
): Promise<PartyPage> {
  const table = TABLES[kind];
  const [end] = await tx.query<{ id: string }>(
    `SELECT id FROM ${table} WHERE id > $1 ORDER BY id OFFSET $2 LIMIT 1`,
    [afterId, limit - 1],
  );
  const through = end?.id ?? null;
  const parties = await tx.query<ScreenedParty>(
    `SELECT ${columnsOf(kind)} FROM ${table} p
     WHERE p.id > :afterId AND (:through::text IS NULL OR p.id <= :through)
       AND p.environment = :environment AND ${isDue(kind)} ORDER BY p.id`,
    { environment, version, afterId, through },
  );
  return { parties, through };
}
