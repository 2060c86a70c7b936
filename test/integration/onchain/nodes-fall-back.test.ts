import { afterEach, beforeEach, expect, it } from 'vitest';
import { withLockedPayment } from '../../../src/modules/payments/lock-payment.ts';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';
import { openLyingPair, type LyingPair } from '../../support/onchain/lying-pair.ts';

let harness: SignerHarness;
let pair: LyingPair;
beforeEach(async () => {
  harness = await createSignerHarness();
  pair = await openLyingPair(harness.anvil.url);
});
afterEach(async () => {
  await pair.close();
  await harness.close();
});

it.each([
  ['by one block', 1n],
  ['to before its block', 4n],
])(
  'a delivered payment is no exception while a provider falls back %s, and is one when its block is gone',
  async (_how, behind) => {
    const { anvil, customer, deps } = harness;
    const { nodes } = pair;
    const { id } = await harness.send();
    const before = await anvil.rpc<string>('evm_snapshot');
    const { number: first } = (await nodes.heads()).latest;
    await harness.poll({ nodes });
    await anvil.mine(4);
    await harness.poll({ nodes });
    await withLockedPayment(deps, customer.scope, id, async () => undefined);
    expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED' });

    const { number: newest } = (await nodes.heads()).latest;
    const number = `0x${(newest - behind).toString(16)}`;
    const old = await anvil.rpc<object>('eth_getBlockByNumber', number, false);
    pair.other.lieAbout('eth_getBlockByNumber', (true_, { params }) =>
      params[0] === 'latest' ? { ...true_, result: old } : true_,
    );
    expect((await nodes.heads()).latest.number).toBe(newest - behind);
    await harness.poll({ nodes });
    await harness.poll({ nodes });
    expect(harness.alarms).toEqual([]);
    expect(await harness.payment(id)).toMatchObject({ reconciliation: 'PENDING' });

    pair.repent();
    await anvil.rpc('evm_revert', before);
    await anvil.mine(Number(newest - first));
    await harness.poll({ nodes });
    expect(harness.alarms).toEqual([{ kind: 'REORGANISED', paymentId: id }]);
    expect(await harness.payment(id)).toMatchObject({ reconciliation: 'EXCEPTION' });
  },
);
