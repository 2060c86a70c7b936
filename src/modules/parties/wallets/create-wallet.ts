import { randomBytes } from 'node:crypto';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import { shareEndUser, type EndUserRow } from '../../../db/parties/end-user-store.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import {
  findWalletAt,
  insertWallet,
  lockWallet,
  type WalletRow,
} from '../../../db/parties/wallet-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { Refusal, refuseField } from '../../../domain/errors/refusal.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import type { Scope } from '../../../domain/scope.ts';
import { endUserOwner } from '../end-users/end-user-personal.ts';
import type { Vault } from '../../../vault/vault.ts';
import { judgeWallet, type JudgedWallet, type WalletOrder } from './judge-wallet.ts';
import type { LookUpDeps, Registration } from './look-up-address.ts';
import { recordFinding } from './record-finding.ts';
import { walletRow } from './wallet-vasp.ts';
import { walletEvent } from './wallet-view.ts';

const NONCE_BYTES = 16;

/** The wallet that is in the way may be disabled each time between two statements; not for ever. */
const TRIES = 3;

interface CreatedWallet {
  readonly row: WalletRow;
  /** False where the owner had the same wallet already. */
  readonly isNew: boolean;
}

type CreateWalletDeps = Pick<LookUpDeps, 'networks' | 'restrictions'> & {
  readonly vault: Vault;
  readonly clock: Clock;
};

/**
 * Registers a wallet, or finds the one that the owner has. Refuses with the problems of `judgeWallet`, with
 * resource_not_found, end_user_not_active, operators_only (the customer's own, in live), address_blocked and
 * service_unavailable where the address could not be looked up.
 */
export async function createWallet(
  deps: CreateWalletDeps,
  tx: ScopedTransaction,
  scope: Scope,
  order: WalletOrder,
  found: Registration,
): Promise<CreatedWallet> {
  const judged = judgeWallet(deps.networks[scope.environment], deps.restrictions, order);
  const endUser = await requireOwner(tx, scope, judged.endUserId);
  const at = deps.clock.now();
  const { row, isNew } = await findOrInsert(deps, tx, scope, order, { judged, endUser, at });
  if (row.status !== 'PENDING') return { row, isNew };
  if (typeof found === 'string') {
    if (!isNew) return { row, isNew };
    throw new Refusal('service_unavailable', 'The address could not be screened. Try again.');
  }
  if (isNew && found.verdict === 'BLOCKED') {
    const message = 'The address is on a sanctions list and cannot be used.';
    throw refuseField('address_blocked', '/address', message);
  }
  return {
    row: await recordFinding(tx, scope, row, { ...found, reason: 'REGISTRATION' }, at),
    isNew,
  };
}

/** The end-user whose wallet it is; null for the customer's own. */
async function requireOwner(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string | null,
): Promise<EndUserRow | null> {
  const endUser = endUserId === null ? null : await shareEndUser(tx, scope, endUserId);
  if (endUserId !== null && endUser === null) {
    throw refuseField('resource_not_found', '/endUserId', 'The end-user does not exist.');
  }
  const isOwn = endUser === null || endUser.relationship === 'SELF';
  if (isOwn && scope.environment === 'live') {
    const message = 'Only the operators of the service can register wallets of your own company.';
    throw refuseField('operators_only', '/endUserId', message);
  }
  if (endUser !== null && endUser.status !== 'ACTIVE') {
    throw refuseField(
      'end_user_not_active',
      '/endUserId',
      'The end-user is not ACTIVE: it is suspended or closed.',
    );
  }
  return endUser;
}

async function findOrInsert(
  { vault }: CreateWalletDeps,
  tx: ScopedTransaction,
  scope: Scope,
  { ownership, vasp }: WalletOrder,
  about: {
    readonly judged: JudgedWallet;
    readonly endUser: EndUserRow | null;
    readonly at: Date;
  },
): Promise<CreatedWallet> {
  const { judged, endUser, at } = about;
  const id = newId(ID_PREFIXES.wallet);
  const sealer = endUser === null ? vault : vault.of(endUserOwner(endUser));
  const wallet = {
    ...{ id, ...judged, ownership, at },
    vasp: vasp === undefined ? null : sealer.sealJson(vasp, walletRow(id)),
    proofNonce: randomBytes(NONCE_BYTES).toString('hex'),
  };
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const row = await insertWallet(tx, scope, wallet);
    if (row !== null) {
      await recordEvent(tx, scope, walletEvent('wallet.created', row), at);
      return { row, isNew: true };
    }
    // The insert waited for the transaction that it conflicts with, so the row is there and committed,
    // unless it was disabled in between.
    const known = await findWalletAt(tx, scope, judged);
    const locked = known === null ? null : await lockWallet(tx, scope, known.id);
    if (locked !== null && locked.status !== 'DISABLED') return { row: locked, isNew: false };
  }
  throw new Error('a wallet that was in the way is not to be found');
}
