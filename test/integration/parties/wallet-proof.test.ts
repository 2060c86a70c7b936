import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ContractQuestion } from '../../../src/domain/onchain/ask-contract.ts';
import { ChainUnreadable } from '../../../src/domain/onchain/chain-nodes.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** What the contract at an address says of a signature; it was asked what stands here. */
let contract: 'TAKES' | 'REFUSES' | 'SILENT' = 'REFUSES';
let asked: ContractQuestion[] = [];

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness({
    contractWallets: {
      async test(question) {
        asked.push(question);
        if (contract === 'SILENT') throw new ChainUnreadable('NO_ANSWER');
        return contract === 'TAKES';
      },
    },
  });
});
afterAll(() => harness.close());
beforeEach(() => {
  contract = 'REFUSES';
  asked = [];
});

interface Registered {
  readonly id: string;
  readonly version: number;
  readonly message: string;
  readonly account: PrivateKeyAccount;
}

async function add(more: object = {}): Promise<Registered> {
  const account = privateKeyToAccount(generatePrivateKey());
  const answer = await harness.ask({
    ...{ method: 'POST', url: '/wallets' },
    body: {
      ...{ endUserId: harness.payer.endUserId, network: 'BASE', address: account.address },
      ...{ ownership: 'SELF_HOSTED', ...more },
    },
  });
  expect(answer.statusCode, answer.body).toBe(201);
  const { id, version, proof } = answer.json<{
    id: string;
    version: number;
    proof: { message: string } | null;
  }>();
  return { id, version, account, message: proof?.message ?? '' };
}

const verify = (id: string, signature: string) =>
  harness.ask({ method: 'POST', url: `/wallets/${id}/verify`, body: { signature } });

async function expectRefused(id: string, signature: string): Promise<void> {
  const answer = await verify(id, signature);
  expect(answer.statusCode, answer.body).toBe(422);
  expect(answer.json()).toMatchObject({
    ...{ error: 'wallet_proof_invalid', details: [{ path: '/signature' }] },
  });
  expect(answer.body).not.toContain(signature);
  const after = await harness.ask({ url: `/wallets/${id}` });
  expect(after.json()).toMatchObject({ provedAt: null });
}

/** The same signature with n - s and the other parity: it recovers the same key. */
function withHighS(signature: string): string {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  const parity = signature.slice(130) === '1b' ? '1c' : '1b';
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${parity}`;
}

describe('POST /wallets/{id}/verify', () => {
  it('takes a signature of the key over the message, once, with one event', async () => {
    const { id, account, message } = await add();
    const signature = await account.signMessage({ message });
    const answers = await Promise.all([1, 2, 3].map(() => verify(id, signature)));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    const provedAt = harness.clock.now().toISOString();
    expect(answers[0]?.json()).toMatchObject({
      status: 'ACTIVE',
      provedAt,
      proof: null,
      version: 3,
    });
    harness.clock.advance(1_000);
    expect((await verify(id, `0x${'00'.repeat(65)}`)).json()).toMatchObject({ provedAt });
    const told = await harness.rows('SELECT type FROM events WHERE resource_id = $1 ORDER BY seq', [
      id,
    ]);
    expect(told).toEqual([
      ...[{ type: 'wallet.created' }, { type: 'wallet.activated' }, { type: 'wallet.verified' }],
    ]);
    await harness.expectBooksToHold();
  });

  it('takes v as 0 and 1, as some wallets write it', async () => {
    const { id, account, message } = await add();
    const signature = await account.signMessage({ message });
    const v = signature.endsWith('1b') ? '00' : '01';
    expect((await verify(id, signature.slice(0, -2) + v)).statusCode).toBe(200);
  });

  it('refuses a key of another wallet, another message, and the second way to write s', async () => {
    const one = await add();
    const other = await add();
    const { account, message } = one;
    await expectRefused(one.id, await other.account.signMessage({ message }));
    await expectRefused(one.id, await account.signMessage({ message: other.message }));
    await expectRefused(one.id, await account.signMessage({ message: `${message} ` }));
    await expectRefused(one.id, withHighS(await account.signMessage({ message })));
    await expectRefused(one.id, `0x${'00'.repeat(65)}`);
    await expectRefused(one.id, `0x${'ff'.repeat(65)}`);
    await expectRefused(one.id, '0x00');
  });

  it('a signature for the wallet as it was registered before does not serve anew', async () => {
    const { id, account, message } = await add();
    const signature = await account.signMessage({ message });
    await harness.ask({ method: 'POST', url: `/wallets/${id}/disable` });
    await expectRefused(id, signature);
    const anew = await harness.ask({
      ...{ method: 'POST', url: '/wallets' },
      body: {
        ...{ endUserId: harness.payer.endUserId, network: 'BASE', address: account.address },
        ownership: 'SELF_HOSTED',
      },
    });
    await expectRefused(anew.json<{ id: string }>().id, signature);
  });

  it('of a hosted wallet there is nothing to prove', async () => {
    const vasp = { name: 'Sample Exchange', country: 'DE' };
    const { id, account, message } = await add({ ownership: 'HOSTED', vasp });
    await expectRefused(id, await account.signMessage({ message }));
    expect(asked).toEqual([]);
  });

  it('asks the contract where no key signed, with hash and signature', async () => {
    const { id, account } = await add();
    const signature = `0x${'ab'.repeat(200)}`;
    await expectRefused(id, signature);
    contract = 'SILENT';
    expect((await verify(id, signature)).statusCode).toBe(503);
    contract = 'TAKES';
    expect((await verify(id, signature)).statusCode).toBe(200);
    expect(asked).toHaveLength(3);
    const { network, address, hash } = asked[2] ?? {};
    expect([network, address, asked[2]?.signature]).toEqual(['BASE', account.address, signature]);
    expect(hash).toMatch(/^0x[0-9a-f]{64}$/);
  });

  it('is bound to a version by If-Match, and takes hex alone', async () => {
    const { id, account, message } = await add();
    const signature = await account.signMessage({ message });
    const answer = await harness.app.inject({
      ...{ method: 'POST', url: `/api/v1/wallets/${id}/verify`, payload: { signature } },
      headers: { authorization: `Bearer ${harness.token}`, 'if-match': '"1"' },
    });
    expect(answer.statusCode).toBe(412);
    for (const wrong of ['', '0x', '0x1', 'abcd', `0x${'00'.repeat(2_049)}`]) {
      expect((await verify(id, wrong)).statusCode).toBe(400);
    }
  });
});
