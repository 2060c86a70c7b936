import type { KeyedOptions, KeyedVersionedOptions, RequestOptions } from '../call-options.ts';
import type { BankAccount, BankAccountRequirements, NewBankAccount } from '../generated/schemas.ts';
import type { List } from '../list.ts';
import type { Query } from '../operation-types.ts';
import { Resource } from './resource.ts';

/** `causeway.bankAccounts`: where payments go. */
export class BankAccounts extends Resource {
  create(bankAccount: NewBankAccount, options?: KeyedOptions): Promise<BankAccount> {
    return this.api.send('createBankAccount', { body: bankAccount }, options);
  }

  get(bankAccountId: string, options?: RequestOptions): Promise<BankAccount> {
    return this.api.send('getBankAccount', { path: { bankAccountId } }, options);
  }

  /** The newest first. */
  list(filters?: Query<'listBankAccounts'>, options?: RequestOptions): List<BankAccount> {
    return this.api.list('listBankAccounts', { query: filters }, options);
  }

  /** For good: nothing is paid to it any more. */
  disable(bankAccountId: string, options?: KeyedVersionedOptions): Promise<BankAccount> {
    return this.api.send('disableBankAccount', { path: { bankAccountId } }, options);
  }
}

/** `causeway.bankAccountRequirements`: which `details` an account of a country takes. */
export class BankAccountRequirementsList extends Resource {
  list(
    filters: Query<'listBankAccountRequirements'>,
    options?: RequestOptions,
  ): List<BankAccountRequirements> {
    return this.api.list('listBankAccountRequirements', { query: filters }, options);
  }
}
