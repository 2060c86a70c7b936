import type { KnownCase } from '../../domain/parties/screening/next-status.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import type { PartyRef } from '../../domain/workflows/work-refs.ts';
import type { AnyTransaction, ScopedTransaction, SystemTransaction } from '../client/database.ts';
import { ownerKeyOf } from './end-user-key-store.ts';

interface NewScreeningCase {
  readonly id: string;
  readonly party: PartyRef;
  readonly listVersion: string;
  readonly namesHash: Buffer;
  readonly entryHashes: readonly Buffer[];
  /** Sealed for the row `screening_cases/<id>`. */
  readonly personal: Buffer;
  readonly at: Date;
}

/** A case as operators see it. */
export interface ScreeningCaseRow extends KnownCase {
  readonly customerId: string;
  readonly environment: Environment;
  readonly endUserId: string | null;
  readonly bankAccountId: string | null;
  readonly listVersion: string;
  readonly personal: Buffer;
  /** Whose key opens `personal`: see `KeyOwner`. */
  readonly ownerId: string;
  readonly ownerKey: Buffer | null;
  readonly openedAt: Date;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
}

/** How a case ends. */
interface CaseDecision {
  readonly outcome: 'RELEASED' | 'REFUSED' | 'SUPERSEDED';
  /** `operator:<name>` or `system:<part>`. */
  readonly actor: string;
  readonly at: Date;
  readonly reason: string;
}

const KNOWN = `id, outcome, names_hash AS "namesHash", entry_hashes AS "entryHashes"`;
const OWNER = `coalesce(screening_cases.end_user_id,
  (SELECT a.end_user_id FROM bank_accounts a WHERE a.id = screening_cases.bank_account_id))`;
const COLUMNS = `${KNOWN}, customer_id AS "customerId", environment, end_user_id AS "endUserId",
  bank_account_id AS "bankAccountId", list_version AS "listVersion", personal,
  ${OWNER} AS "ownerId", ${ownerKeyOf(OWNER)},
  opened_at AS "openedAt", decided_by AS "decidedBy", decided_at AS "decidedAt", reason`;

const COLUMN = {
  END_USER: 'end_user_id',
  BANK_ACCOUNT: 'bank_account_id',
  WALLET: 'wallet_id',
} as const;

/** Every case of a party, oldest first. */
export function readCasesOf(
  tx: ScopedTransaction,
  scope: Scope,
  { kind, id }: PartyRef,
): Promise<KnownCase[]> {
  return tx.query<KnownCase>(
    `SELECT ${KNOWN} FROM screening_cases
     WHERE customer_id = $1 AND environment = $2 AND ${COLUMN[kind]} = $3 ORDER BY seq`,
    [scope.customerId, scope.environment, id],
  );
}

/** Opens a case. The database refuses a second open one of the same party. */
export async function insertScreeningCase(
  tx: ScopedTransaction,
  scope: Scope,
  { party, at, ...row }: NewScreeningCase,
): Promise<void> {
  await tx.query(
    `INSERT INTO screening_cases (id, customer_id, environment, ${COLUMN[party.kind]}, list_version,
       names_hash, entry_hashes, personal, opened_at)
     VALUES (:id, :customerId, :environment, :partyId, :listVersion, :namesHash, :entryHashes,
       :personal, :at)`,
    {
      ...row,
      entryHashes: [...row.entryHashes],
      customerId: scope.customerId,
      environment: scope.environment,
      partyId: party.id,
      at,
    },
  );
}

/** Ends an open case; false where it was ended before. The database guards who may write which end. */
export async function decideScreeningCase(
  tx: AnyTransaction,
  scope: Scope,
  id: string,
  { outcome, actor, at, reason }: CaseDecision,
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE screening_cases
     SET outcome = :outcome, decided_by = :actor, decided_at = :at, reason = :reason
     WHERE customer_id = :customerId AND environment = :environment AND id = :id
       AND outcome IS NULL RETURNING id`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      id,
      outcome,
      actor,
      at,
      reason,
    },
  );
  return rows.length > 0;
}

/** A case of whichever customer; null where there is none. */
export async function findScreeningCase(
  tx: SystemTransaction,
  id: string,
): Promise<ScreeningCaseRow | null> {
  const rows = await tx.query<ScreeningCaseRow>(
    `SELECT ${COLUMNS} FROM screening_cases WHERE id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** Open cases, oldest first. */
export async function listOpenCases(
  tx: SystemTransaction,
  environment: Environment | null,
  limit: number,
): Promise<ScreeningCaseRow[]> {
  return tx.query<ScreeningCaseRow>(
    `SELECT ${COLUMNS} FROM screening_cases
     WHERE outcome IS NULL AND (:environment::text IS NULL OR environment = :environment)
     ORDER BY seq LIMIT :limit`,
    { environment, limit },
  );
}

/** A payment whose party's screening was decided. */
interface ScreenedPayment {
  readonly id: string;
  readonly workflowId: string;
}

/** A party, or a wallet, whose screening was decided. */
export interface DecidedOn {
  readonly kind: keyof typeof COLUMN;
  readonly id: string;
}

/** Unfinished payments after `afterId` for or to the party or wallet, by id. */
export async function listUnfinishedOf(
  tx: SystemTransaction,
  scope: Scope,
  { kind, id }: DecidedOn,
  afterId: string,
  limit: number,
): Promise<ScreenedPayment[]> {
  return tx.query<ScreenedPayment>(
    `SELECT id, workflow_id AS "workflowId" FROM payments
     WHERE customer_id = :customerId AND environment = :environment AND ${COLUMN[kind]} = :partyId
       AND status IN ('PROCESSING', 'ON_HOLD') AND id > :afterId ORDER BY id LIMIT :limit`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      partyId: id,
      afterId,
      limit,
    },
  );
}
