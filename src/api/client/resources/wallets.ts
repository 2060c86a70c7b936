import type { KeyedOptions, KeyedVersionedOptions, RequestOptions } from '../call-options.ts';
import type { NewProof, NewWallet, Wallet } from '../generated/schemas.ts';
import type { List } from '../list.ts';
import type { Query } from '../operation-types.ts';
import { Resource } from './resource.ts';

/** `causeway.wallets`: where payments in tokens go. */
export class Wallets extends Resource {
  create(wallet: NewWallet, options?: KeyedOptions): Promise<Wallet> {
    return this.api.send('createWallet', { body: wallet }, options);
  }

  get(walletId: string, options?: RequestOptions): Promise<Wallet> {
    return this.api.send('getWallet', { path: { walletId } }, options);
  }

  /** The newest first. */
  list(filters?: Query<'listWallets'>, options?: RequestOptions): List<Wallet> {
    return this.api.list('listWallets', { query: filters }, options);
  }

  /** Shows by a signature whose the wallet is. */
  verify(walletId: string, proof: NewProof, options?: KeyedVersionedOptions): Promise<Wallet> {
    return this.api.send('verifyWallet', { path: { walletId }, body: proof }, options);
  }

  /** For good: nothing is paid to it any more. */
  disable(walletId: string, options?: KeyedVersionedOptions): Promise<Wallet> {
    return this.api.send('disableWallet', { path: { walletId } }, options);
  }
}
