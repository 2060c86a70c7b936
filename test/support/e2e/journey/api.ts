import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { until } from '../../until.ts';

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** How long a check, a payment or a credit may take on a machine that runs other tests, in milliseconds. */
const WAIT_MS = 60_000;

/** A partner's program with a key. */
export function withKey(apiUrl: string, token: string) {
  async function call(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await fetch(`${apiUrl}/api/v1${path}`, {
      method,
      signal: AbortSignal.timeout(60_000),
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': randomUUID(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Answer['body'] };
  }

  async function make(path: string, body: object): Promise<Answer['body']> {
    const { status, body: made } = await call('POST', path, body);
    expect(status, JSON.stringify(made)).toBeLessThan(300);
    return made;
  }

  return {
    call,
    make,
    /** An end-user who may be paid, and their account. */
    async addBeneficiary() {
      const endUser = await make('/end-users', {
        type: 'INDIVIDUAL',
        individual: { firstName: 'Robin', lastName: 'Sample' },
      });
      const endUserId = String(endUser['id']);
      await make(`/end-users/${endUserId}/kyc`, {});
      await until(
        'KYC approval',
        async () =>
          (await call('GET', `/end-users/${endUserId}`)).body['kycStatus'] === 'APPROVED' || null,
        WAIT_MS,
      );
      const account = await make('/bank-accounts', {
        ...{ endUserId, country: 'DE', currency: 'EUR', holderType: 'INDIVIDUAL' },
        ...{ holderName: 'Robin Sample', details: { iban: 'DE89370400440532013000' } },
      });
      return { endUserId, bankAccountId: String(account['id']) };
    },
    /** The worker gives a new customer's test environment its balances after the approval. */
    untilFunded: (currency: string) =>
      until(
        `a balance in ${currency}`,
        async () => {
          const { data } = (await call('GET', '/balances')).body as {
            readonly data: readonly { readonly currency: string | null }[];
          };
          return data.some((row) => row.currency === currency) || null;
        },
        WAIT_MS,
      ),
    untilStatus: (paymentId: string, status: string) =>
      until(
        `${paymentId} to be ${status}`,
        async () => (await call('GET', `/payments/${paymentId}`)).body['status'] === status || null,
        WAIT_MS,
      ),
  };
}
