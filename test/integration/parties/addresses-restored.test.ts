import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { publishRates } from '../../support/quoted-harness.ts';
import { testSettings } from '../../support/test-app.ts';
import { NETWORKS } from '../../support/wallet-payments.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness({ settings: testSettings({ networks: NETWORKS }) });
});
afterAll(() => harness.close());

interface Given {
  readonly id: string;
  readonly address: string;
}

async function addAddress(body: object, key: string | null = null): Promise<Given> {
  const ask = () => harness.ask({ method: 'POST', url: '/deposit-addresses', body, key });
  let answer = await ask();
  // On a busy machine the customer's other requests may take longer than one waits for them: it is sent again.
  while (answer.statusCode === 503) answer = await ask();
  expect(answer.statusCode, answer.body).toBe(201);
  const { id, address } = answer.json<Given>();
  return { id, address };
}

const own = () => {
  const { endUserId, bankAccountId } = harness.payer;
  return { endUserId, bankAccountId };
};

describe('a database restored from before addresses were given out', () => {
  it('gives the same deposit address out for the same request, with a key or without one', async () => {
    const first = await addAddress(own());
    const restore = await harness.database.keepCopy();
    const requests: [object, string | null][] = [
      ...[[own(), 'ada-1'] as [object, string], [own(), null] as [object, null]],
      ...[[own(), null] as [object, null], [{}, null] as [object, null]],
      ...[[{ minAmount: '5.00' }, null] as [object, null], [{}, 'ada-2'] as [object, string]],
    ];
    const ask = async () => {
      const given: Given[] = [];
      for (const [body, key] of requests) given.push(await addAddress(body, key));
      return given;
    };
    const before = await ask();
    expect(new Set([first, ...before].map(({ address }) => address)).size).toBe(7);
    await restore();
    expect(await ask()).toEqual(before);
  });

  it('waits at the same address for the deposit that pays for a repeated payment', async () => {
    await publishRates(harness, { EUR: '0.8', USDC: '1' });
    const restore = await harness.database.keepCopy();
    const pay = async () => {
      const funding = { type: 'CRYPTO_DEPOSIT', asset: 'USDC', network: 'BASE' };
      const answer = await harness.pay(harness.order({ funding }), 'waits for a deposit');
      expect(answer.statusCode, answer.body).toBe(201);
      const { id, funding: shown } = answer.json<{ id: string; funding: Given }>();
      return { id, address: shown.address };
    };
    const before = await pay();
    await restore();
    await publishRates(harness, { EUR: '0.8', USDC: '1' });
    expect(await pay()).toEqual(before);
  });
});

describe('equal requests for deposit addresses', () => {
  it('have addresses of their own, at once too', async () => {
    const given = await Promise.all(
      Array.from({ length: 12 }, () => addAddress({ minAmount: '7.00' })),
    );
    expect(new Set(given.map(({ address }) => address)).size).toBe(12);
  });
});
