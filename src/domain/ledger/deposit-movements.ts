import { assertNever } from '../assert-never.ts';
import type { Network } from '../onchain/network.ts';
import { move, type LedgerLine, type Money, type MovementKind } from './movements.ts';

/** The kinds that are a deposit's. A deposit has at most one of each a round. */
export type DepositMovementKind = Extract<MovementKind, `DEPOSIT${string}`>;

/** What happens to units of a deposit; all amounts in its asset's minor units. */
type DepositMovement =
  /** It came in: for a payment that waits, and for the balance. */
  | { readonly kind: 'DEPOSIT'; readonly pending: bigint; readonly available: bigint }
  /**
   * HOLD: the payment is complete, what waited is reserved. UNHOLD: it is no longer. RELEASE: the payment
   * ended, what waited is in the balance.
   */
  | {
      readonly kind: 'DEPOSIT_HOLD' | 'DEPOSIT_UNHOLD' | 'DEPOSIT_RELEASE';
      readonly amount: bigint;
    }
  /** The network took it back: from where it waits or is kept, and the rest from the balance. */
  | {
      readonly kind: 'DEPOSIT_ORPHAN';
      readonly kept: { readonly in: 'pending' | 'reserved' | 'suspense'; readonly amount: bigint };
      readonly balance: bigint;
    }
  /** It came in from a blocked sender. */
  | { readonly kind: 'DEPOSIT_BLOCK'; readonly amount: bigint }
  /** Operators released what did: for a payment that waits, and for the balance. */
  | { readonly kind: 'DEPOSIT_UNBLOCK'; readonly pending: bigint; readonly available: bigint };

/** One movement of one deposit. */
export interface MovedDeposit {
  readonly depositId: string;
  readonly round: number;
  readonly movement: DepositMovement;
}

/**
 * The lines of a movement. `available`: what the customer has available in the asset, behind the balance's
 * lock, not negative; what it does not cover of an orphaned deposit is owed to us (`receivable`). Only what
 * reaches `available` repays what is owed: the store does that, and pending and reserved repay nothing.
 */
export function depositLines(
  network: Network,
  asset: string,
  movement: DepositMovement,
  available: bigint,
): readonly LedgerLine[] {
  const nostro = `nostro:${network}`;
  const of = (minor: bigint): Money => ({ currency: asset, minor });
  switch (movement.kind) {
    case 'DEPOSIT':
      return [
        ...move(of(movement.pending), nostro, 'pending'),
        ...move(of(movement.available), nostro, 'available'),
      ];
    case 'DEPOSIT_HOLD':
      return move(of(movement.amount), 'pending', 'reserved');
    case 'DEPOSIT_UNHOLD':
      return move(of(movement.amount), 'reserved', 'pending');
    case 'DEPOSIT_RELEASE':
      return move(of(movement.amount), 'pending', 'available');
    case 'DEPOSIT_BLOCK':
      return move(of(movement.amount), nostro, 'suspense');
    case 'DEPOSIT_UNBLOCK':
      return [
        ...move(of(movement.pending), 'suspense', 'pending'),
        ...move(of(movement.available), 'suspense', 'available'),
      ];
    case 'DEPOSIT_ORPHAN': {
      const { kept, balance } = movement;
      const covered = available < balance ? available : balance;
      return [
        ...move(of(kept.amount), kept.in, nostro),
        ...move(of(covered), 'available', nostro),
        ...move(of(balance - covered), 'receivable', nostro),
      ];
    }
    default:
      return assertNever(movement);
  }
}
