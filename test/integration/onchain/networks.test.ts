import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPaymentHarness,
  type PaymentHarness,
  type Payer,
} from '../../support/payment-harness.ts';
import { SAMPLE_NETWORK, someAddress } from '../../support/sample-networks.ts';
import { testSettings } from '../../support/test-app.ts';

let harness: PaymentHarness;
let live: Payer;
beforeAll(async () => {
  harness = await createPaymentHarness();
  live = await harness.addPayer({ ...harness.scope, environment: 'live' });
});
afterAll(() => harness.close());

describe('GET /networks', () => {
  it('tells tokens and depths, and no URL', async () => {
    const answer = await harness.ask({ url: '/networks' });
    expect(answer.json()).toEqual({
      data: [
        {
          ...{ network: 'BASE', chainId: SAMPLE_NETWORK.chainId, status: 'ACTIVE' },
          assets: [{ ...SAMPLE_NETWORK.assets[0], min: '1.000000', max: '50000.000000' }],
          confirmations: {
            credit: { blocks: 3, tag: null },
            creditAbove: { blocks: 3, tag: null },
            final: { blocks: 6, tag: null },
          },
        },
      ],
      ...{ hasMore: false, nextCursor: null },
    });
    const { data } = (await harness.ask({ url: '/networks', token: live.token })).json<{
      data: object[];
    }>();
    expect(data).toMatchObject([{ confirmations: { final: { blocks: null, tag: 'finalized' } } }]);
  });

  it('where there is none, no wallet is registered: 422 corridor_unavailable', async () => {
    const settings = testSettings({ networks: { test: [], live: [] } });
    const without = await createPaymentHarness({ settings });
    try {
      expect((await without.ask({ url: '/networks' })).json()).toMatchObject({ data: [] });
      const body = {
        ...{ endUserId: without.payer.endUserId, network: 'BASE', address: someAddress() },
        ownership: 'SELF_HOSTED',
      };
      const answer = await without.ask({ method: 'POST', url: '/wallets', body });
      expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
        ...[422, 'corridor_unavailable'],
      ]);
    } finally {
      await without.close();
    }
  });
});
