import { findBankAccount } from '../../../db/parties/bank-account-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import {
  insertDepositAddress,
  lockNewAddresses,
  type DepositAddressRow,
} from '../../../db/parties/deposit-address-store.ts';
import { shareEndUser } from '../../../db/parties/end-user-store.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { findWallet } from '../../../db/parties/wallet-store.ts';
import { forwarderAddress } from '../../../domain/onchain/create2.ts';
import type { ListedNetworks } from '../../../domain/onchain/listed-networks.ts';
import type { Clock } from '../../../domain/clock.ts';
import { Refusal, refuseField, type Problem } from '../../../domain/errors/refusal.ts';
import { refuseProblems } from '../../../domain/errors/refuse-problems.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import { depositAddressEvent } from './deposit-address-view.ts';
import type { DepositAddressOrder } from './deposit-address-order.ts';
import { nextAddressId } from './next-address-id.ts';
import { requireRoom } from './require-room.ts';

interface CreateAddressDeps {
  readonly networks: ListedNetworks;
  readonly vault: KeyedHashes;
  readonly clock: Clock;
}

/**
 * Makes an address that takes tokens for as long as it stands. It is derived, not asked for: no key of it exists.
 * After a loss of data the same request, with the same Idempotency-Key or with none, is given the same address.
 * Whether a deposit can be paid on is judged when it comes. Refuses with resource_not_found, end_user_not_active,
 * bank_account_pending, bank_account_disabled, wallet_not_active, validation_failed (a destination without an
 * end-user, or two of them), limit_reached (as many as may be are in use, or are looked at) and corridor_unavailable (no
 * network is served). Throws ScopeBusy where others of the customer are being made and do not end.
 */
export async function createDepositAddress(
  { networks, vault, clock }: CreateAddressDeps,
  tx: ScopedTransaction,
  scope: Scope,
  order: DepositAddressOrder,
  idempotencyKey: string | null,
): Promise<DepositAddressRow> {
  const factory = networks.factoryOf(scope.environment);
  if (factory === null) {
    throw new Refusal('corridor_unavailable', 'No network is available now. Try again later.');
  }
  const problems = shapeProblems(order);
  if (problems.length > 0) throw refuseProblems(problems);
  await requireOwner(tx, scope, order.endUserId);
  const found = [
    ...(await accountProblems(tx, scope, order)),
    ...(await walletProblems(tx, scope, order)),
  ];
  if (found.length > 0) throw refuseProblems(found);
  await lockNewAddresses(tx, scope);
  const at = clock.now();
  await requireRoom(tx, scope, order.endUserId, at);
  const id = await nextAddressId(vault, tx, scope, order, idempotencyKey);
  const address = forwarderAddress(factory, scope.environment, id);
  const row = await insertDepositAddress(tx, scope, { id, ...order, address }, at);
  await recordEvent(tx, scope, depositAddressEvent('deposit_address.created', row), at);
  return row;
}

function shapeProblems({ endUserId, bankAccountId, walletId }: DepositAddressOrder): Problem[] {
  if (bankAccountId !== null && walletId !== null) {
    const message = 'Give either bankAccountId or walletId, not both.';
    return [{ path: '/walletId', code: 'unexpected', message }];
  }
  if (endUserId !== null || (bankAccountId === null && walletId === null)) return [];
  const message = 'Give endUserId. It is required with bankAccountId or walletId.';
  return [{ path: '/endUserId', code: 'required', message }];
}

async function requireOwner(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string | null,
): Promise<void> {
  if (endUserId === null) return;
  const endUser = await shareEndUser(tx, scope, endUserId);
  if (endUser === null) {
    throw refuseField('resource_not_found', '/endUserId', 'The end-user does not exist.');
  }
  if (endUser.status !== 'ACTIVE') {
    throw refuseField(
      'end_user_not_active',
      '/endUserId',
      'The end-user is not ACTIVE: it is suspended or closed.',
    );
  }
}

async function accountProblems(
  tx: ScopedTransaction,
  scope: Scope,
  { endUserId, bankAccountId }: DepositAddressOrder,
): Promise<Problem[]> {
  if (bankAccountId === null) return [];
  const path = '/bankAccountId';
  const account = await findBankAccount(tx, scope, bankAccountId);
  if (account?.endUserId !== endUserId) {
    const message = 'The bank account does not exist or does not belong to the end-user.';
    return [{ path, code: 'resource_not_found', message }];
  }
  switch (account?.status) {
    case 'PENDING': {
      const message =
        'The bank account is PENDING: it awaits approval by the operators of the service.';
      return [{ path, code: 'bank_account_pending', message }];
    }
    case 'DISABLED':
      return [
        {
          path,
          code: 'bank_account_disabled',
          message: 'The bank account is disabled. Use another account.',
        },
      ];
    default:
      return [];
  }
}

async function walletProblems(
  tx: ScopedTransaction,
  scope: Scope,
  { endUserId, walletId }: DepositAddressOrder,
): Promise<Problem[]> {
  if (walletId === null) return [];
  const path = '/walletId';
  const wallet = await findWallet(tx, scope, walletId);
  if (wallet === null || (wallet.endUserId !== null && wallet.endUserId !== endUserId)) {
    const message =
      'The wallet does not exist, or it belongs neither to the end-user nor to your own company.';
    return [{ path, code: 'resource_not_found', message }];
  }
  if (wallet.status === 'ACTIVE') return [];
  return [
    { path, code: 'wallet_not_active', message: 'The wallet is not ACTIVE. Use an ACTIVE wallet.' },
  ];
}
