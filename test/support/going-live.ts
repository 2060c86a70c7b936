import {
  COMPANIES,
  liveScope,
  saveCompany,
  type CompanyData,
} from '../../src/modules/customers/live/company.ts';
import { acceptLiveTerms, publishLiveTerms } from '../../src/modules/customers/live/live-terms.ts';
import { readLiveStanding } from '../../src/modules/customers/live/live-standing.ts';
import { requestLiveAccess } from '../../src/modules/customers/live/request-live-access.ts';
import type { Database, ScopedTransaction } from '../../src/db/client/database.ts';
import { writeScreening } from '../../src/db/parties/screening-party-store.ts';
import { createCorridorTable } from '../../src/domain/payments/corridors/corridor-table.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Vault } from '../../src/vault/vault.ts';
import { approveWithin, revokeApproval } from './approve-end-user.ts';
import { addCustomer } from './test-customer.ts';
import { addTestUser } from './test-people.ts';
import { createTestVault } from './test-vault.ts';

export const SAMPLE_COMPANY: CompanyData = {
  business: {
    legalName: 'Sample Trading GmbH',
    registrationNumber: 'HRB 000000',
    incorporationCountry: 'DE',
    persons: [
      { firstName: 'Ada', lastName: 'Sample', dateOfBirth: '1980-01-31', role: 'DIRECTOR' },
    ],
  },
  address: { line1: 'Samplestrasse 1', city: 'Berlin', postalCode: '10115', country: 'DE' },
};

/** Customers of a test on their way to live, by the use cases that pages call. `people`: the database as web has it. */
export function createGoingLive(people: Database, clock: Clock, vault: Vault = createTestVault()) {
  const deps = { db: people, vault, clock, corridors: createCorridorTable() };

  const standing = (customerId: string) =>
    people.read(COMPANIES, (tx) => readLiveStanding(tx, customerId));
  const actOf = (customerId: string, userId: string) => ({
    ...{ customerId, userId, hasLiveAccess: false },
  });
  const say = async (customerId: string, userId: string, data: CompanyData) => {
    const { company } = await standing(customerId);
    const order = { data, seenVersion: company?.identityVersion ?? 0 };
    return people.write(COMPANIES, (tx) => saveCompany(deps, tx, actOf(customerId, userId), order));
  };
  /** As the look-up of its names leaves a company of which nothing is on the list. */
  const clear = (tx: ScopedTransaction, id: string) =>
    writeScreening(
      tx,
      COMPANIES,
      { kind: 'END_USER', id },
      { status: 'CLEAR', list: 'a test', at: clock.now() },
    );
  /** The company's newest data is approved and, unless it is not to be, looked up, as its provider would report it. */
  const approve = async (customerId: string, expiresAt: Date | null = null, isScreened = true) => {
    const { company } = await standing(customerId);
    return people.write(COMPANIES, async (tx) => {
      const checkId = await approveWithin(tx, COMPANIES, company?.id ?? '', clock.now(), expiresAt);
      if (isScreened) await clear(tx, company?.id ?? '');
      return checkId;
    });
  };
  const accept = async (customerId: string, userId: string) => {
    const { terms } = await standing(customerId);
    await people.write(liveScope(customerId), (tx) =>
      acceptLiveTerms(deps, tx, actOf(customerId, userId), terms?.version ?? 0),
    );
  };

  return {
    ...{ deps, standing, say, approve, accept },
    publish: (text = 'Sample terms.') =>
      publishLiveTerms(deps, text, { operator: 'a test', reason: 'a test' }),
    revoke: async (customerId: string) => {
      const { company, check } = await standing(customerId);
      const ref = { endUserId: company?.id ?? '', kycCheckId: check?.id ?? '' };
      await revokeApproval(people, COMPANIES, ref, clock.now());
    },
    request: (customerId: string, userId: string) =>
      people.write(COMPANIES, (tx) => requestLiveAccess(deps, tx, actOf(customerId, userId))),
    /** A customer without live access and its owner. */
    async newCustomer() {
      const customerId = await people.system((tx) => addCustomer(tx, { hasLiveAccess: false }));
      const owner = await addTestUser({ people, vault: deps.vault, clock }, customerId, 'OWNER');
      return { customerId, ownerId: owner.id };
    },
    /** All of the checklist, where terms are in force. */
    async prepare(customerId: string, userId: string) {
      await say(customerId, userId, SAMPLE_COMPANY);
      await approve(customerId);
      await accept(customerId, userId);
    },
  };
}
