import type { Database } from '../../../db/client/database.ts';
import { findWalletAt } from '../../../db/parties/wallet-store.ts';
import type { ListedNetwork } from '../../../domain/onchain/network-setup.ts';
import type { Restrictions } from '../../../domain/payments/corridors/restrictions.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import type {
  AddressFinding,
  AskAddress,
} from '../../../domain/parties/screening/address-screening.ts';
import { ScreeningError } from '../../../domain/parties/screening/screening-provider.ts';
import type { Environment, Scope } from '../../../domain/scope.ts';
import { judgeWallet, type JudgedWallet, type WalletOrder } from './judge-wallet.ts';

/** Who is asked about addresses, by environment; none is where it is missing. */
export type AddressScreening = Readonly<Partial<Record<Environment, AskAddress>>>;

export interface LookUpDeps {
  readonly db: Database;
  readonly addressScreening: AddressScreening;
  readonly networks: Readonly<Record<Environment, readonly ListedNetwork[]>>;
  readonly restrictions: Restrictions;
}

/** What was found; UNASKED where nothing had to be, UNAVAILABLE where no answer came. */
export type Registration = AddressFinding | 'UNASKED' | 'UNAVAILABLE';

/**
 * Looks the address of a new wallet up, outside any transaction: the provider may take its time. It is not
 * asked about an order that will be refused, nor about a wallet that is known and decided.
 */
export async function lookUpAddress(
  deps: LookUpDeps,
  scope: Scope,
  order: WalletOrder,
): Promise<Registration> {
  const judged = judgeQuietly(deps, scope, order);
  if (judged === null) return 'UNASKED';
  const known = await deps.db.read(scope, (tx) => findWalletAt(tx, scope, judged));
  if (known !== null && known.status !== 'PENDING') return 'UNASKED';
  const ask = deps.addressScreening[scope.environment];
  if (ask === undefined) return 'UNAVAILABLE';
  try {
    return await ask({ ...judged, reason: 'REGISTRATION' });
  } catch (error) {
    if (error instanceof ScreeningError) return 'UNAVAILABLE';
    throw error;
  }
}

/** The refusal itself belongs to the transaction, behind the look at the idempotency key. */
function judgeQuietly(
  { networks, restrictions }: LookUpDeps,
  { environment }: Scope,
  order: WalletOrder,
): JudgedWallet | null {
  try {
    return judgeWallet(networks[environment], restrictions, order);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
