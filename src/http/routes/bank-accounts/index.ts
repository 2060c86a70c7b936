import type { App, HttpDeps } from '../../deps.ts';
import { createBankAccount } from './create.ts';
import { getBankAccount } from './get.ts';
import { listBankAccounts } from './list.ts';

export function registerBankAccounts(app: App, deps: HttpDeps): void {
  createBankAccount(app, deps);
  getBankAccount(app, deps);
  listBankAccounts(app, deps);
}
