import { expect } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { paymentWorkflowId } from '../../../src/modules/payments/accept-order.ts';
import { until } from '../until.ts';

export interface Beneficiary {
  readonly endUserId: string;
  readonly bankAccountId: string;
}

export interface PaidOrder {
  readonly id: string;
  readonly workflowId: string;
}

export interface Seen {
  readonly id: string;
  readonly status: string;
  readonly statusDetail: string;
  readonly version: number;
  readonly references: readonly { readonly type: string; readonly value: string }[];
  readonly reconciliation: { readonly status: string };
}

/** Who is paid over which rail, all plainly made up. */
const ACCOUNTS = {
  SEPA: { country: 'DE', currency: 'EUR', details: { iban: 'DE89370400440532013000' } },
  ACH: {
    country: 'US',
    currency: 'USD',
    details: {
      routingNumber: '021000021',
      accountNumber: '1234567890',
      accountType: 'CHECKING',
    },
  },
} as const;

export type TestRail = keyof typeof ACCOUNTS;

/** What a partner does over HTTP with its API key. `approve` stands in for the KYC provider. */
export function createTestPartner(
  apiUrl: string,
  token: string,
  scope: Scope,
  approve: (endUserId: string) => Promise<unknown>,
) {
  async function call<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Body> {
    const answer = await fetch(`${apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.ok, `${method} ${path}: ${text}`).toBe(true);
    return JSON.parse(text) as Body;
  }

  const partner = {
    call,

    async addEndUser(lastName = 'Sample'): Promise<string> {
      const { id } = await call<{ id: string }>('POST', '/end-users', {
        type: 'INDIVIDUAL',
        individual: { firstName: 'Ada', lastName },
      });
      return id;
    },

    /** An approved end-user with a bank account; needs running workers. */
    async addBeneficiary(rail: TestRail = 'SEPA', holderName = 'Ada Sample'): Promise<Beneficiary> {
      const endUserId = await partner.addEndUser();
      await call('POST', `/end-users/${endUserId}/kyc`, {});
      await until('KYC approval', async () =>
        (await partner.kycStatus(endUserId)) === 'APPROVED' ? true : null,
      );
      return partner.addAccount(endUserId, rail, holderName);
    },

    /** The same without the KYC provider: the database says that it approved. */
    async addApprovedBeneficiary(
      rail: TestRail = 'SEPA',
      holderName = 'Ada Sample',
    ): Promise<Beneficiary> {
      const endUserId = await partner.addEndUser();
      await approve(endUserId);
      return partner.addAccount(endUserId, rail, holderName);
    },

    async addAccount(endUserId: string, rail: TestRail, holderName: string): Promise<Beneficiary> {
      const { id } = await call<{ id: string }>('POST', '/bank-accounts', {
        ...ACCOUNTS[rail],
        endUserId,
        rail,
        holderName,
        holderType: 'INDIVIDUAL',
      });
      return { endUserId, bankAccountId: id };
    },

    kycStatus: async (endUserId: string) =>
      (await call<{ kycStatus: string }>('GET', `/end-users/${endUserId}`)).kycStatus,

    async pay(
      to: Beneficiary,
      amount: string,
      overrides: {
        currency?: string;
        reference?: string;
        scheduledFor?: string;
        metadata?: Record<string, string>;
        funding?: object;
      } = {},
    ): Promise<PaidOrder> {
      const key = newId('order');
      const order = { currency: 'EUR', ...overrides, ...to, amount };
      const { id } = await call<{ id: string }>('POST', '/payments', order, {
        'idempotency-key': key,
      });
      return { id, workflowId: paymentWorkflowId(scope, key) };
    },

    payment: (id: string) => call<Seen>('GET', `/payments/${id}`),

    /** Waits for `STATUS` or `STATUS/DETAIL`. */
    async untilPayment(id: string, wanted: string): Promise<Seen> {
      let last = '';
      await until(
        () => `${wanted} of ${id}, which is ${last}`,
        async () => {
          const { status, statusDetail } = await partner.payment(id);
          last = `${status}/${statusDetail}`;
          return last === wanted || status === wanted ? true : null;
        },
      );
      return partner.payment(id);
    },

    /** The end-to-end reference of a payment's newest attempt. */
    async referenceOf(id: string): Promise<string> {
      const { references } = await partner.payment(id);
      return references.filter((one) => one.type === 'END_TO_END_ID').at(-1)?.value ?? '';
    },
  };
  return partner;
}
