import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from './api-client.ts';

/** Whom a client pays. */
export interface Beneficiary {
  readonly endUserId: string;
  readonly bankAccountId: string;
}

const KYC_MS_MAX = 60_000;
const LOOK_EVERY_MS = 250;

/** An end-user that is approved, with a bank account: the README's steps 1 to 3. */
export async function addBeneficiary(api: ApiClient): Promise<Beneficiary> {
  const endUser = await api.call<{ id: string }>('POST', '/end-users', {
    type: 'INDIVIDUAL',
    individual: { firstName: 'Ada', lastName: 'Sample' },
  });
  await api.call('POST', `/end-users/${endUser.id}/kyc`, {});
  await untilApproved(api, endUser.id);
  const account = await api.call<{ id: string }>('POST', '/bank-accounts', {
    endUserId: endUser.id,
    country: 'DE',
    currency: 'EUR',
    holderName: 'Ada Sample',
    holderType: 'INDIVIDUAL',
    details: { iban: 'DE89370400440532013000' },
  });
  return { endUserId: endUser.id, bankAccountId: account.id };
}

async function untilApproved(api: ApiClient, endUserId: string): Promise<void> {
  const deadline = performance.now() + KYC_MS_MAX;
  for (;;) {
    await pause(LOOK_EVERY_MS);
    const path = `/end-users/${endUserId}`;
    const { kycStatus } = await api.call<{ kycStatus: string }>('GET', path);
    if (kycStatus === 'APPROVED') return;
    if (performance.now() > deadline) throw new Error(`KYC of ${endUserId} is still ${kycStatus}`);
  }
}
