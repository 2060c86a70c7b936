import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { cancelPayment } from '../../../src/modules/payments/cancel-payment.ts';
import { voidTransfer } from '../../../src/modules/onchain/void-transfer.ts';
import { freezeSignerAccountByHand } from '../../../src/modules/onchain/thaw-signer-account.ts';
import { encodeUnsigned } from '../../../src/domain/onchain/transaction.ts';
import {
  createSignerHarness,
  NOT_FINAL_MAX,
  PLACE,
  type SignerHarness,
  type SentPayment,
} from '../../support/onchain/signer-harness.ts';
import {
  comeBack,
  expectPaidOnce,
  readSignerAccount,
  thawUntilOpen,
} from '../../support/onchain/restored-signer-account.ts';
import { thawSignerAccount } from '../../support/onchain/thaw-signer-account.ts';

const GWEI = 1_000_000_000n;

let harness: SignerHarness;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  startOver = await harness.keepStart();
});
beforeEach(() => startOver());
afterAll(() => harness.close());

/** The nodes send nothing on: what is broadcast is lost. */
const lost = () => ({ nodes: { ...harness.deps.nodes, broadcast: async () => undefined } });

/** The client repeats a request with the same key. */
const repeat = ({ id, order: { amount, to } }: SentPayment): Promise<SentPayment> =>
  harness.send(amount, to, id);

const signerAccount = () => readSignerAccount(harness);
const thaw = () => thawUntilOpen(harness);

it('a database restored from before, clients repeating every key: each of 20 is paid once', async () => {
  const [first, second] = [await harness.send(), await harness.send(6_000_000n)];
  // The copy knows the first as signed, and the second as not looked at.
  await harness.poll(lost());
  const third = await harness.send(7_000_000n);
  const restore = await harness.database.keepCopy();
  const rest: SentPayment[] = [];
  for (let more = 0; more < 12; more += 1) rest.push(await harness.send());
  await harness.poll();
  await harness.makeFinal();
  for (let more = 0; more < 5; more += 1) rest.push(await harness.send());
  await harness.poll();
  await harness.mineAndPoll(1);
  const all = [first, second, third, ...rest];
  expect(all).toHaveLength(20);
  const nonces = await harness.rows<{ n: bigint }>('SELECT count(*) AS n FROM chain_nonces');

  await comeBack(harness, restore);
  await harness.poll();
  expect(await signerAccount()).toMatchObject({ status: 'FROZEN', why: 'RESTORED' });
  // Half of the clients repeat before the signer account is thawed, half of them once it is open.
  for (const sent of rest.slice(0, 9)) await repeat(sent);
  // What turns out to be paid already stays so.
  expect(await voidTransfer(harness.deps, rest[0]!.reference)).toBe(true);
  await harness.makeFinal();
  await thaw();
  for (const sent of rest.slice(9)) await repeat(sent);
  await harness.poll();
  await harness.makeFinal();
  await expectPaidOnce(harness, all);
  const sentSince = (await signerAccount())!.next - nonces[0]!.n;
  expect(sentSince).toBe(BigInt(NOT_FINAL_MAX));
  const { order } = await harness.send(8_000_000n);
  await harness.poll();
  await harness.makeFinal();
  expect(await harness.balance(order.to)).toBe(order.amount);
}, 240_000);

it('what was signed before the restore and the chain has not seen can no longer pay once the signer account is open', async () => {
  await harness.send();
  await harness.poll();
  await harness.makeFinal();
  const restore = await harness.database.keepCopy();
  const sent = [await harness.send(), await harness.send()];
  await harness.poll(lost());
  const raws = await harness.rows<{ raw: Buffer }>(
    'SELECT raw FROM chain_transactions ORDER BY nonce DESC LIMIT 2',
  );
  await comeBack(harness, restore);
  const again = [await repeat(sent[0]!), await repeat(sent[1]!)];
  await harness.poll();
  // The later of the two is kept somewhere, and sent on in the middle of the adoption.
  await thawSignerAccount(harness);
  await harness.poll();
  for (const { raw } of raws.slice(0, 1)) await harness.deps.nodes.broadcast([raw]);
  for (let look = 0; look < 40 && (await signerAccount())?.status !== 'OPEN'; look += 1) {
    await harness.pollAfter(4);
  }
  expect(await signerAccount()).toMatchObject({ status: 'OPEN' });
  await harness.poll();
  for (const { raw } of raws) await harness.deps.nodes.broadcast([raw]);
  await harness.makeFinal();
  await expectPaidOnce(harness, again);
}, 240_000);

it('what was mined before the restore and is in no block any more can no longer pay once the signer account is open', async () => {
  await harness.send();
  await harness.poll();
  await harness.makeFinal();
  const restore = await harness.database.keepCopy();
  const before = await harness.anvil.rpc<string>('evm_snapshot');
  const sent: SentPayment[] = [];
  for (let more = 0; more < 24; more += 1) sent.push(await harness.send(1_000_000n));
  // Three quarters of 16, in each of two blocks.
  await harness.poll();
  await harness.mineAndPoll(1);
  const raws = await harness.rows<{ raw: Buffer }>(
    'SELECT raw FROM chain_transactions WHERE nonce > 0 ORDER BY nonce',
  );
  expect(raws).toHaveLength(24);
  await harness.anvil.rpc('evm_revert', before);
  await harness.anvil.rpc('anvil_dropAllTransactions');
  await comeBack(harness, restore);
  await harness.send(8_000_000n);
  await harness.poll();
  await thaw();
  for (const { raw } of raws) await harness.deps.nodes.broadcast([raw]);
  await harness.makeFinal();
  await harness.makeFinal();
  const paid = await Promise.all(sent.map(({ order }) => harness.balance(order.to)));
  expect(paid.filter((amount) => amount > 0n)).toEqual([]);
}, 240_000);

it('as many nonces are used up after a restore as ever were allowed, whatever the settings say since', async () => {
  const allowed = (notFinalMax: number) => ({
    settings: { ...harness.deps.settings, notFinalMax },
  });
  await harness.send();
  await harness.poll(allowed(48));
  await harness.makeFinal();
  const restore = await harness.database.keepCopy();
  await comeBack(harness, restore);
  await harness.send();
  await harness.poll();
  await thaw();
  expect((await signerAccount())!.next).toBeGreaterThanOrEqual(49n);
}, 240_000);

it('a payment that was paid before the restore, and that a client repeats is not canceled, nor its funds given back', async () => {
  await harness.send();
  await harness.poll();
  const restore = await harness.database.keepCopy();
  const sent = await harness.send();
  await harness.poll();
  await harness.makeFinal();
  await comeBack(harness, restore);
  // Not seen by the chain's process yet: the signer account is not even frozen.
  const id = await harness.accept(sent.order.amount, sent.order.to, sent.id);
  const { scope } = harness.customer;
  const cancel = () =>
    harness.database.db.write(scope, (tx) =>
      cancelPayment(harness.deps, tx, scope, {
        ...{ paymentId: id, requireVersion: () => undefined },
        actor: { kind: 'OPERATOR', name: 'ada' },
      }),
    );
  await expect(cancel()).rejects.toMatchObject({ code: 'payment_not_cancelable' });
  await harness.send();
  await harness.poll();
  await thaw();
  await expect(cancel()).rejects.toMatchObject({ code: 'payment_not_cancelable' });
  const release = `UPDATE payments SET status = 'CANCELED', version = version + 1 WHERE id = $1`;
  await expect(harness.rows(release, [id])).rejects.toThrow();
  await harness.accept(5_000_000n, harness.anvil.accounts[4]!, newId('pay')).then(async (other) => {
    const [row] = await harness.rows<{ may: boolean }>(
      `SELECT may_chain_have_paid('test', 'BASE', reference) AS may FROM settlement_attempts
       WHERE payment_id = $1`,
      [other],
    );
    expect(row).toEqual({ may: false });
  });
}, 240_000);

it('a key that is repeated with another amount is not paid again, and calls a human', async () => {
  await harness.send();
  await harness.poll();
  const restore = await harness.database.keepCopy();
  const sent = await harness.send();
  await harness.poll();
  await harness.makeFinal();
  await comeBack(harness, restore);
  await harness.send(9_000_000n, sent.order.to, sent.id);
  await harness.poll();
  await thaw();
  await harness.mineAndPoll(3);
  expect(await harness.balance(sent.order.to)).toBe(sent.order.amount);
  expect(harness.alarms).toContainEqual({ kind: 'PAID_OTHERWISE', paymentId: sent.id });
}, 240_000);

it('a signer account with a foreign transaction is frozen again when it is thawed', async () => {
  await harness.send();
  await harness.poll();
  await harness.makeFinal();
  const restore = await harness.database.keepCopy();
  const fees = { maxFeePerGas: 50n * GWEI, maxPriorityFeePerGas: GWEI };
  const turn = { chainId: BigInt(harness.anvil.chainId), nonce: 1n, gas: 50_000n, ...fees };
  const call = { to: harness.usdc, value: 0n, data: Uint8Array.of(1, 2, 3, 4) };
  const signed = await harness.deps
    .signerOf(harness.signerAccount)!
    .sign(encodeUnsigned({ ...turn, ...call }));
  await harness.deps.nodes.broadcast([signed.raw]);
  await harness.anvil.mine(8);
  await comeBack(harness, restore);
  const { order } = await harness.send();
  await harness.poll();
  await thawSignerAccount(harness);
  await harness.makeFinal();
  expect(await signerAccount()).toMatchObject({ status: 'FROZEN', why: 'FOREIGN_TRANSACTION' });
  expect(await harness.balance(order.to)).toBe(0n);
}, 240_000);

it('a signer account that the copy does not know learns what its address has paid', async () => {
  const restore = await harness.database.keepCopy();
  const sent = await harness.send();
  await harness.poll();
  await harness.makeFinal();
  await comeBack(harness, restore);
  await repeat(sent);
  await harness.poll();
  expect(await signerAccount()).toMatchObject({ status: 'FROZEN', why: 'RESTORED' });
  await thaw();
  await harness.mineAndPoll(3);
  await expectPaidOnce(harness, [sent]);
}, 240_000);

it('one operator freezes a signer account, and no process thaws it without the approval of two', async () => {
  await harness.send();
  await harness.poll();
  await harness.makeFinal();
  const act = { operator: 'ada', reason: 'a key was seen' };
  const key = { ...PLACE, address: harness.signerAccount };
  const people = { db: harness.database.people, clock: harness.clock };
  expect(await freezeSignerAccountByHand(people, key, act)).toBe(true);
  expect(await freezeSignerAccountByHand(people, key, act)).toBe(false);
  const { order } = await harness.send();
  await harness.pollAfter(2);
  expect(await harness.balance(order.to)).toBe(0n);
  const alone = `UPDATE chain_signer_accounts SET status = 'OPEN', why = NULL`;
  await expect(people.db.system((tx) => tx.query(alone))).rejects.toThrow('two operators');
  await expect(harness.deps.db.system((tx) => tx.query(alone))).rejects.toThrow('two operators');
  expect(await thawSignerAccount(harness)).toBe(`test/BASE/${harness.signerAccount} pays again.`);
  await harness.poll();
  await harness.makeFinal();
  expect(await harness.balance(order.to)).toBe(order.amount);
}, 240_000);
