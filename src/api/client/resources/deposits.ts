import type { KeyedOptions, KeyedVersionedOptions, RequestOptions } from '../call-options.ts';
import type {
  Deposit,
  DepositAddress,
  NewDepositAddress,
  NewDepositRefund,
  Payment,
} from '../generated/schemas.ts';
import type { List } from '../list.ts';
import type { Query } from '../operation-types.ts';
import { Resource } from './resource.ts';

/** `causeway.depositAddresses`: where tokens are sent to, and what is paid with them. */
export class DepositAddresses extends Resource {
  create(address: NewDepositAddress, options?: KeyedOptions): Promise<DepositAddress> {
    return this.api.send('createDepositAddress', { body: address }, options);
  }

  get(depositAddressId: string, options?: RequestOptions): Promise<DepositAddress> {
    return this.api.send('getDepositAddress', { path: { depositAddressId } }, options);
  }

  /** The newest first. */
  list(filters?: Query<'listDepositAddresses'>, options?: RequestOptions): List<DepositAddress> {
    return this.api.list('listDepositAddresses', { query: filters }, options);
  }

  /** For good: what is sent there afterwards goes to the balance. */
  disable(depositAddressId: string, options?: KeyedVersionedOptions): Promise<DepositAddress> {
    return this.api.send('disableDepositAddress', { path: { depositAddressId } }, options);
  }
}

/** `causeway.deposits`: tokens that came in. */
export class Deposits extends Resource {
  get(depositId: string, options?: RequestOptions): Promise<Deposit> {
    return this.api.send('getDeposit', { path: { depositId } }, options);
  }

  /** The newest first. */
  list(filters?: Query<'listDeposits'>, options?: RequestOptions): List<Deposit> {
    return this.api.list('listDeposits', { query: filters }, options);
  }

  /** Pays a deposit, or a part of it, to a wallet: a payment, made once for each `idempotencyKey`. */
  refund(depositId: string, refund: NewDepositRefund, options?: KeyedOptions): Promise<Payment> {
    return this.api.send('refundDeposit', { path: { depositId }, body: refund }, options);
  }
}
