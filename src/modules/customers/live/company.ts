import { recordAudit } from '../../../db/operations/audit-store.ts';
import { findCompany, lockCompany } from '../../../db/customers/company-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import type { EndUserRow } from '../../../db/parties/end-user-store.ts';
import { enterScope } from '../../../db/client/enter-scope.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { CorridorTable } from '../../../domain/payments/corridors/corridor-table.ts';
import { platformScope } from '../../../domain/platform-account.ts';
import type { Scope } from '../../../domain/scope.ts';
import { createEndUser } from '../../parties/end-users/create-end-user.ts';
import {
  endUserOwner,
  endUserRow,
  type Address,
  type Business,
  type EndUserPersonal,
} from '../../parties/end-users/end-user-personal.ts';
import { updateEndUser } from '../../parties/end-users/update-end-user.ts';
import type { StartedKyc } from '../../parties/kyc/start-kyc.ts';
import { startKyc } from '../../parties/kyc/start-kyc.ts';
import type { Vault } from '../../../vault/vault.ts';
import { LiveRefused } from './live-refused.ts';

/** The scope that companies are checked in. */
export const COMPANIES: Scope = platformScope('live');

/** The scope of a customer that its going live is written down in. */
export const liveScope = (customerId: string): Scope => ({ customerId, environment: 'live' });

interface CompanyDeps {
  readonly vault: Vault;
  readonly clock: Clock;
  readonly corridors: CorridorTable;
}

/** Who of a customer acts on its company. */
export interface CompanyAct {
  readonly customerId: string;
  readonly userId: string;
}

/** What a customer says of its own company. */
export interface CompanyData {
  readonly business: Business;
  readonly address: Address;
}

/** A company's data as it was last said. */
export function openCompany(vault: Vault, row: EndUserRow): CompanyData {
  const personal = vault
    .of(endUserOwner(row))
    .openJson<EndUserPersonal>(row.personal, endUserRow(row.id));
  const { business, address } = personal;
  if (business === undefined || address === undefined) throw new Error(`${row.id} is no company`);
  return { business, address };
}

/**
 * Writes what a customer says of its company, in a transaction of the scope COMPANIES, which ends in the
 * customer's. A change takes an approval of the check back, for KYC is about the data. `seenVersion`: the
 * identityVersion that was on the form, 0 where there was none. Answers the company's id. Throws LiveRefused where
 * it was changed meanwhile, and Refusal as `createEndUser` and `updateEndUser` do.
 */
export async function saveCompany(
  deps: CompanyDeps,
  tx: ScopedTransaction,
  act: CompanyAct,
  order: { readonly data: CompanyData; readonly seenVersion: number },
): Promise<string> {
  const { customerId } = act;
  const known = await lockCompany(tx, customerId);
  if ((known?.identityVersion ?? 0) !== order.seenVersion) {
    throw new LiveRefused('The company’s data has changed. Reload the page.');
  }
  const id = known === null ? await create(deps, tx, customerId, order.data) : known.id;
  if (known !== null) {
    await updateEndUser(deps, tx, COMPANIES, {
      ...{ endUserId: id, patch: { ...order.data, address: wholeAddress(order.data) } },
      requireVersion: () => undefined,
    });
  }
  const action = known === null ? 'company.create' : 'company.update';
  await writeDown(deps, tx, act, action, id);
  return id;
}

/**
 * Starts a check of a customer's company, or renews the link of one that is open; a transaction as that of
 * `saveCompany`. The caller starts its workflow after the commit. Throws LiveRefused where there is no data yet.
 */
export async function startCompanyCheck(
  deps: CompanyDeps,
  tx: ScopedTransaction,
  act: CompanyAct,
  redirectUrl: string,
): Promise<StartedKyc> {
  const company = await findCompany(tx, act.customerId);
  if (company === null) throw new LiveRefused('Enter the company’s data first.');
  const started = await startKyc(deps, tx, COMPANIES, { endUserId: company.id, redirectUrl });
  await writeDown(deps, tx, act, 'company.check', company.id, { kycCheckId: started.check.id });
  return started;
}

async function create(
  deps: CompanyDeps,
  tx: ScopedTransaction,
  customerId: string,
  data: CompanyData,
): Promise<string> {
  const order = { type: 'BUSINESS', externalId: customerId, ...data } as const;
  return (await createEndUser(deps, tx, COMPANIES, order)).id;
}

/** A merge patch keeps what is left out; an address that is said is said as a whole. */
function wholeAddress({ address }: CompanyData) {
  return { line2: null, region: null, postalCode: null, ...address };
}

/** In the customer's own scope: it is the customer that reads it. */
async function writeDown(
  { clock }: CompanyDeps,
  tx: ScopedTransaction,
  { customerId, userId }: CompanyAct,
  action: string,
  subject: string,
  details: Readonly<Record<string, string>> = {},
): Promise<void> {
  const scope = liveScope(customerId);
  await enterScope(tx, scope);
  const actor = { kind: 'USER', id: userId } as const;
  await recordAudit(tx, { at: clock.now(), actor, action, scope, subject, details });
}
