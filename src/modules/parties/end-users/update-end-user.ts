import { isDeepStrictEqual } from 'node:util';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import {
  EXTERNAL_ID_IS_UNIQUE,
  lockEndUser,
  updateEndUser as save,
} from '../../../db/parties/end-user-store.ts';
import type { EndUserChange, EndUserRow } from '../../../db/parties/end-user-store.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { isUniqueViolation } from '../../../db/client/unique-violation.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { CorridorTable } from '../../../domain/payments/corridors/corridor-table.ts';
import { Refusal, refuseField } from '../../../domain/errors/refusal.ts';
import { refuseProblems } from '../../../domain/errors/refuse-problems.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import { applyMergePatch } from '../../../domain/merge-patch.ts';
import type { MergePatch } from '../../../domain/merge-patch.ts';
import type { RequireVersion } from '../../../domain/require-version.ts';
import type { Scope } from '../../../domain/scope.ts';
import { requireKycAgain } from '../kyc/require-kyc-again.ts';
import type { Vault } from '../../../vault/vault.ts';
import { checkEndUser } from './check-end-user.ts';
import { endUserOwner, endUserRow } from './end-user-personal.ts';
import type { EndUserPersonal } from './end-user-personal.ts';
import { endUserEvent, viewEndUser } from './end-user-view.ts';
import type { EndUserView } from './end-user-view.ts';
import { refuseOwnEntity } from './refuse-own-entity.ts';

/** What a customer may change; the type is not among it. */
type EndUserPatch = MergePatch<
  Omit<EndUserPersonal, 'metadata'> & {
    readonly externalId?: string;
    readonly metadata?: Readonly<Record<string, string>>;
  }
>;

interface EndUserUpdate {
  readonly endUserId: string;
  readonly patch: EndUserPatch;
  readonly requireVersion: RequireVersion;
  /** An operator may change the customer's own company, too. */
  readonly isByOperator?: boolean;
}

interface UpdatedEndUser {
  readonly view: EndUserView;
  /** Whether sealed data was written: then the names must be looked up again. */
  readonly isResealed: boolean;
}

/**
 * Changes an end-user; what changes nothing is no version. A change of what identifies them withdraws
 * an approval of theirs: KYC is asked for again. Refuses with not_found, operators_only, precondition_failed,
 * end_user_not_active, external_id_taken, and for the result as `createEndUser` does.
 */
export async function updateEndUser(
  deps: {
    readonly vault: Vault;
    readonly clock: Clock;
    readonly corridors: CorridorTable;
  },
  tx: ScopedTransaction,
  scope: Scope,
  { endUserId, patch, requireVersion, isByOperator = false }: EndUserUpdate,
): Promise<UpdatedEndUser> {
  const at = deps.clock.now();
  const stored = requireFound(await lockEndUser(tx, scope, endUserId));
  if (!isByOperator) refuseOwnEntity(stored);
  requireVersion(stored.version);
  if (stored.status !== 'ACTIVE') {
    throw new Refusal(
      'end_user_not_active',
      'The end-user is not ACTIVE: it is suspended or closed.',
    );
  }
  const sealer = deps.vault.of(endUserOwner(stored));
  const before = sealer.openJson<EndUserPersonal>(stored.personal, endUserRow(stored.id));
  const { externalId = stored.externalId, after } = applyPatch(before, patch);
  const problems = checkEndUser(stored.type, after, at, deps.corridors.restrictions);
  if (problems.length > 0) throw refuseProblems(problems);
  if (externalId === stored.externalId && isDeepStrictEqual(before, after)) {
    return { view: viewEndUser(stored, deps.vault), isResealed: false };
  }
  const isIdentity = !isDeepStrictEqual(identityOf(before), identityOf(after));
  const endUser = isIdentity ? await requireKycAgain(tx, scope, stored, at) : stored;
  const personal = sealer.sealJson(after, endUserRow(stored.id));
  const changed = await saveUnique(tx, scope, endUser, { externalId, personal, isIdentity, at });
  await recordEvent(tx, scope, endUserEvent('end_user.updated', changed, endUser), at);
  return { view: viewEndUser(changed, deps.vault), isResealed: true };
}

function applyPatch(before: EndUserPersonal, { externalId, ...patch }: EndUserPatch) {
  const { metadata, ...rest } = applyMergePatch<Partial<EndUserPersonal>>(before, patch);
  return { externalId, after: { ...rest, metadata: metadata ?? {} } };
}

/**
 * What KYC is about: all that its provider is told, tax ids and address too. Compared as written: a
 * name in other letters is another name.
 */
function identityOf({ individual, business, address }: EndUserPersonal) {
  return { individual, business, address };
}

async function saveUnique(
  tx: ScopedTransaction,
  scope: Scope,
  endUser: EndUserRow,
  change: EndUserChange,
): Promise<EndUserRow> {
  try {
    return await save(tx, scope, endUser, change);
  } catch (error) {
    if (!isUniqueViolation(error, EXTERNAL_ID_IS_UNIQUE)) throw error;
    const message = 'Another end-user already has this externalId. Use a unique value.';
    throw refuseField('external_id_taken', '/externalId', message);
  }
}
