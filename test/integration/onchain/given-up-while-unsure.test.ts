import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { voidTransfer } from '../../../src/modules/onchain/void-transfer.ts';
import { sendForeign, unmarked } from '../../support/onchain/foreign-transaction.ts';
import {
  createSignerHarness,
  PLACE,
  type SignerHarness,
} from '../../support/onchain/signer-harness.ts';
import { thawUntilOpen } from '../../support/onchain/restored-signer-account.ts';
import { nameForeign } from '../../support/onchain/thaw-signer-account.ts';

let harness: SignerHarness;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  startOver = await harness.keepStart();
});
beforeEach(() => startOver());
afterAll(() => harness.close());

async function stateOf(reference: string): Promise<string | undefined> {
  const [row] = await harness.rows<{ state: string }>(
    'SELECT state FROM chain_transfers WHERE reference = $1',
    [reference],
  );
  return row?.state;
}

it('what waits and was paid by hand is given up before the thaw, and is never sent', async () => {
  await harness.send();
  await harness.poll();
  await harness.makeFinal();
  const sent = await harness.send();
  const hash = await sendForeign(harness, 1n, unmarked(harness, sent.order.to, sent.order.amount));
  await harness.anvil.mine(8);
  await harness.poll();
  // From the first poll cycle on, and not only once the signer account is frozen.
  expect(await voidTransfer(harness.deps, sent.reference)).toBe(true);
  await harness.poll();
  expect(await harness.rows('SELECT status, why FROM chain_signer_accounts')).toEqual([
    { status: 'FROZEN', why: 'NONCE_AHEAD' },
  ]);
  expect(await stateOf(sent.reference)).toBe('WAITING');
  await nameForeign(harness, 1n, hash);
  await thawUntilOpen(harness);
  expect(await stateOf(sent.reference)).toBe('REJECTED');
  const next = await harness.send();
  await harness.poll();
  await harness.makeFinal();
  expect(await harness.payment(next.id)).toMatchObject({ finality: 'FINAL' });
  expect(await harness.balance(sent.order.to)).toBe(sent.order.amount);
});

it('a transfer that is given up while its network is unsure takes no nonce, and stays given up', async () => {
  const first = await harness.send();
  await harness.poll();
  await harness.makeFinal();
  const { order, reference } = await harness.send();
  await sendForeign(harness, 1n, unmarked(harness, order.to, 1n));
  await harness.anvil.mine();
  await harness.poll();
  await voidTransfer(harness.deps, reference);
  const say = (sql: string, values: readonly unknown[] = []) =>
    harness.deps.db.system((tx) => tx.query(sql, [...values]));
  await expect(
    say('UPDATE chain_transfers SET given_up_at = NULL WHERE reference = $1', [reference]),
  ).rejects.toThrow('given up once');
  await expect(
    say('UPDATE chain_transfers SET given_up_at = now() WHERE reference = $1', [first.reference]),
  ).rejects.toThrow('given up once');
  await expect(
    say(
      `INSERT INTO chain_nonces (environment, network, address, nonce, reference, created_at, updated_at)
       VALUES ($1, $2, $3, 1, $4, now(), now())`,
      [PLACE.environment, PLACE.network, harness.signerAccount, reference],
    ),
  ).rejects.toThrow('takes no nonce');
});
