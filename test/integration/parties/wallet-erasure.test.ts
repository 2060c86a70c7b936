import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeProof } from '../../../src/modules/parties/wallets/verify-wallet.ts';
import { addRecipient } from '../../support/add-recipient.ts';
import { someAddress } from '../../support/sample-networks.ts';
import {
  createErasureHarness,
  type ErasureHarness,
} from '../../support/parties/erasure-harness.ts';

const YEARS_5_MS = 1827 * 24 * 3_600_000;

let harness: ErasureHarness;
beforeAll(async () => {
  harness = await createErasureHarness();
});
afterAll(() => harness.close());

describe('the wallets of an end-user who is erased', () => {
  it('keep neither address nor host, and a repeated request tells neither', async () => {
    const { endUserId } = await addRecipient(harness);
    const vasp = { name: 'Quizzical Exchange Ltd', country: 'DE' };
    const address = someAddress();
    const body = { endUserId, network: 'BASE', address, ownership: 'HOSTED', vasp };
    const register = () =>
      harness.ask({ method: 'POST', url: '/wallets', body, key: 'a wallet that goes' });
    const { id } = (await register()).json<{ id: string }>();
    await harness.closeEndUser(endUserId);
    harness.clock.advance(YEARS_5_MS);
    const erased = await harness.erase(endUserId);
    expect(erased.statusCode, erased.body).toBeLessThan(300);
    expect(await harness.rows('SELECT address, vasp FROM wallets WHERE id = $1', [id])).toEqual([
      { address: `erased-${id}`, vasp: Buffer.alloc(0) },
    ]);
    const shown = await harness.ask({ url: `/wallets/${id}` });
    expect(shown.json()).toMatchObject({ address: '****', vasp: null, proof: null });
    const again = await register();
    expect(again.body).not.toContain('Quizzical');
    expect(again.body.toLowerCase()).not.toContain(address);
    await harness.expectBooksToHold();
  });

  it('take no proof any more, and no node is asked about one', async () => {
    const { endUserId } = await addRecipient(harness);
    const body = { endUserId, network: 'BASE', address: someAddress(), ownership: 'SELF_HOSTED' };
    const made = await harness.ask({ method: 'POST', url: '/wallets', body });
    const { id } = made.json<{ id: string }>();
    await harness.closeEndUser(endUserId);
    harness.clock.advance(YEARS_5_MS);
    expect((await harness.erase(endUserId)).statusCode).toBeLessThan(300);
    const asked: unknown[] = [];
    const test = async (question: unknown) => asked.push(question) > 0;
    const deps = {
      ...{ db: harness.deps.db, publicUrl: 'https://payouts.example.com' },
      contractWallets: { test },
    };
    expect(await judgeProof(deps, harness.scope, id, `0x${'11'.repeat(65)}`)).toBe('INVALID');
    expect(asked).toEqual([]);
  });
});
