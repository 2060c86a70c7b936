import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { voidTransfer } from '../../../../src/modules/onchain/void-transfer.ts';
import { SignerSilent } from '../../../../src/domain/onchain/signer.ts';
import { lost, sendForeign, unmarked } from '../../../support/onchain/foreign-transaction.ts';
import {
  createSignerHarness,
  type SignerHarness,
} from '../../../support/onchain/signer-harness.ts';
import { approve } from '../../../support/onchain/thaw-signer-account.ts';
import { SAMPLE_NETWORK } from '../../../support/sample-networks.ts';
import { createOpsCommands, type OpsCommands } from '../../../support/cli/ops/ops-commands.ts';

const ACT = ['--reason', 'looked at the chain', '--operator', 'ada'];
const HASH = `0x${'ab'.repeat(32)}`;
const STRANGER = '0x3000000000000000000000000000000000000007';

let harness: SignerHarness;
let ops: OpsCommands;
let folder: string;
beforeEach(async () => {
  harness = await createSignerHarness();
  folder = mkdtempSync(join(tmpdir(), 'chain-acts-'));
  const { anvil, usdc, signerAccount, database, clock } = harness;
  const network = {
    ...SAMPLE_NETWORK,
    chainId: anvil.chainId,
    rpcUrls: [anvil.url],
    assets: [{ ...SAMPLE_NETWORK.assets[0], contract: usdc }],
    hotAddresses: [signerAccount],
  };
  const file = join(folder, 'networks.json');
  writeFileSync(file, JSON.stringify({ networks: [network] }));
  const env = { DATABASE_URL: database.url, TEST_NETWORKS_FILE: file };
  ops = createOpsCommands(database.commands, clock, { env });
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await harness.close();
});

const aboutSignerAccount = (verb: string, address = harness.signerAccount, ...more: string[]) =>
  ops('chain', verb, address, '--environment', 'test', '--network', 'BASE', ...more, ...ACT);

/** Hands it in, and two operators approve it. Answers what became of it. */
async function agree(handed: ReturnType<OpsCommands>): Promise<string> {
  const { code, printed } = await handed;
  expect(code, printed).toBe(0);
  const { database, clock } = harness;
  return approve({ db: database.people, clock }, /apr_\w+/.exec(printed)?.[0] ?? null);
}

const proposals = async () => (await ops('approvals', 'list')).printed;

const audited = (action: string) =>
  harness.rows<{ environment: string; customer: string | null; subject: string; actor: string }>(
    `SELECT environment, customer_id AS customer, subject, actor,
       details ->> 'reason' AS reason, details ->> 'approval' IS NOT NULL AS "byTwo"
     FROM audit_log WHERE action = $1 ORDER BY at`,
    [action],
  );

const nameOfSignerAccount = () => `test/BASE/${harness.signerAccount}`;

const statusOfSignerAccount = async () =>
  (await harness.rows<{ status: string }>('SELECT status FROM chain_signer_accounts'))[0]?.status;

describe('commands about hot addresses', () => {
  it('chain freeze and thaw: once each, and the audit log names environment and address', async () => {
    await harness.send();
    await harness.poll();
    expect((await aboutSignerAccount('freeze', STRANGER)).code).toBe(1);
    expect(await aboutSignerAccount('thaw')).toEqual({
      code: 1,
      printed: `The hot address ${harness.signerAccount} is not frozen, so it can be neither thawed nor retired.`,
    });
    expect(await proposals()).toBe('No proposal is open.');
    expect((await aboutSignerAccount('freeze')).code).toBe(0);
    expect((await aboutSignerAccount('freeze')).printed).toContain('or it is already frozen');
    const thaw = aboutSignerAccount('thaw');
    await thaw;
    expect(await aboutSignerAccount('thaw')).toMatchObject({ code: 1 });
    await agree(thaw);
    expect(await statusOfSignerAccount()).toBe('OPEN');
    const about = {
      environment: 'test',
      subject: nameOfSignerAccount(),
      reason: 'looked at the chain',
    };
    expect(await audited('signer_account.freeze')).toMatchObject([
      { ...about, actor: 'operator:ada' },
    ]);
    expect(await audited('signer_account.thaw')).toMatchObject([{ ...about, byTwo: true }]);
    expect((await aboutSignerAccount('thaw')).printed).toContain('is not frozen');
  });

  it('chain retire: of a frozen address alone, by two, once', async () => {
    await harness.send();
    await harness.poll();
    for (const address of [harness.signerAccount, STRANGER]) {
      const refused = await aboutSignerAccount('retire', address);
      expect(refused).toEqual({
        code: 1,
        printed: `The hot address ${address} is not frozen, so it can be neither thawed nor retired.`,
      });
    }
    expect(await proposals()).toBe('No proposal is open.');
    await aboutSignerAccount('freeze');
    const retire = aboutSignerAccount('retire');
    await retire;
    expect((await aboutSignerAccount('retire')).printed).toContain('is already open');
    expect(await statusOfSignerAccount()).toBe('FROZEN');
    await agree(retire);
    expect(await statusOfSignerAccount()).toBe('RETIRING');
    expect(await audited('signer_account.retire')).toMatchObject([
      {
        environment: 'test',
        subject: nameOfSignerAccount(),
        byTwo: true,
        reason: 'looked at the chain',
      },
    ]);
    for (const verb of ['retire', 'thaw', 'freeze']) {
      expect((await aboutSignerAccount(verb)).code, verb).toBe(1);
    }
    expect((await ops('chain', 'accounts')).printed).toMatch(/RETIRING/);
  });

  it('chain foreign: of a signer account, with a nonce and a whole hash, by two', async () => {
    const named = ['--nonce', '0', '--hash', HASH, '--outcome', 'not-ours'];
    expect(
      (await aboutSignerAccount('foreign', harness.signerAccount, ...named)).printed,
    ).toContain('is not a signer account of');
    await harness.send();
    await harness.poll();
    for (const [at, wrong] of [
      [1, '-1'],
      [3, '0xab'],
      [5, 'mined'],
    ] as const) {
      const asked = aboutSignerAccount('foreign', harness.signerAccount, ...named.with(at, wrong));
      expect((await asked).code).toBe(2);
    }
    expect(await proposals()).toBe('No proposal is open.');
    const foreign = aboutSignerAccount('foreign', harness.signerAccount, ...named);
    await foreign;
    expect(
      (await aboutSignerAccount('foreign', harness.signerAccount, ...named)).printed,
    ).toContain('is already open');
    await agree(foreign);
    expect(await audited('signer_account.foreign_nonce')).toMatchObject([
      { environment: 'test', subject: `${nameOfSignerAccount()}/0`, byTwo: true },
    ]);
  });

  it('chain foreign: that it paid or not, of the payment that the nonce carries, in the customer’s own log', async () => {
    const said = (outcome: string, ...more: string[]) =>
      aboutSignerAccount(
        'foreign',
        harness.signerAccount,
        ...['--nonce', '0', '--hash', HASH, '--outcome', outcome, ...more],
      );
    const { id, reference } = await harness.send();
    const other = await harness.send(100_000_000_000n);
    await harness.poll(lost(harness));
    for (const payment of ['pay_none', other.id, other.reference]) {
      expect((await said('paid', '--payment', payment)).printed).toContain('such a payment');
    }
    expect(await proposals()).toBe('No proposal is open.');
    const first = said('paid', '--payment', reference);
    await first;
    expect((await said('not-paid')).printed).toContain('is already open');
    expect(await agree(first)).toContain(HASH);
    expect(await audited('payment.foreign_transaction')).toMatchObject([
      {
        environment: 'test',
        customer: harness.customer.scope.customerId,
        subject: id,
        byTwo: true,
      },
    ]);
  });

  it('chain reconcile: says what the rows do not have, and 1, each time; and what it lacks', async () => {
    const bare = createOpsCommands(harness.database.commands, harness.clock);
    await expect(bare('chain', 'reconcile')).rejects.toThrow('DATABASE_URL is not set');
    await harness.send();
    await harness.poll();
    await harness.mineAndPoll(8);
    for (let run = 0; run < 2; run += 1) {
      const { code, printed } = await ops('chain', 'reconcile');
      expect([code, printed.match(/ 0 violations/g)?.length], printed).toEqual([0, 4]);
    }
    const hash = await sendForeign(harness, 1n, unmarked(harness, STRANGER, 7n));
    await harness.anvil.mine(8);
    const { code, printed } = await ops('chain', 'reconcile');
    expect(code).toBe(1);
    expect(printed).toMatch(/I20 .* 1 violation /);
    expect(printed).toMatch(/I22 .* 1 violation /);
    expect(hash).toMatch(/^0x/);
    expect(await harness.rows('SELECT FROM audit_log')).toHaveLength(0);
  });

  it('chain gas: counts each mined transaction once, by kind', async () => {
    const lines = async () => (await ops('chain', 'gas')).printed.split('\n').slice(1);
    expect(await lines()).toEqual([]);
    const given = await harness.send();
    await harness.poll(lost(harness));
    await voidTransfer(harness.deps, given.reference);
    await harness.poll();
    await harness.mineAndPoll(8);
    const paid = await harness.send();
    await harness.poll();
    await harness.mineAndPoll(8);
    expect(await harness.payment(paid.id)).toMatchObject({ finality: 'FINAL' });
    const counted = (await lines()).map((line) => line.split(/ +/));
    expect(
      counted.map(([environment, network, , kind, count]) => [environment, network, kind, count]),
    ).toEqual([
      ['test', 'BASE', 'TRANSFER', '1'],
      ['test', 'BASE', 'VOID', '1'],
    ]);
    expect(counted.every((row) => Number(row[5]) > 0)).toBe(true);
    expect(await lines()).toHaveLength(2);
  });
});

it('what is due to be signed in a signer account that was frozen meanwhile is not signed, and is once it is thawed', async () => {
  const { id, order } = await harness.send();
  let asked = 0;
  const silent = {
    address: harness.signerAccount,
    sign: () => {
      asked += 1;
      return Promise.reject(new SignerSilent());
    },
  };
  await harness.poll({ signerOf: () => silent });
  expect(asked).toBe(1);
  await aboutSignerAccount('freeze');
  await harness.poll({ signerOf: () => silent });
  await harness.mineAndPoll(2);
  expect(asked).toBe(1);
  expect(harness.alarms).toContainEqual({
    kind: 'NOT_SIGNED',
    address: harness.signerAccount,
    nonce: '0',
  });
  expect(await harness.rows('SELECT FROM chain_transactions WHERE raw IS NOT NULL')).toEqual([]);
  await agree(aboutSignerAccount('thaw'));
  await harness.poll();
  await harness.mineAndPoll(8);
  expect(await harness.balance(order.to)).toBe(order.amount);
  expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
});

it('a signer account that is frozen while its signer works sends nothing of what was signed', async () => {
  const { order } = await harness.send();
  const signer = harness.deps.signerOf(harness.signerAccount)!;
  const slow = {
    address: harness.signerAccount,
    async sign(unsigned: Uint8Array) {
      const signed = await signer.sign(unsigned);
      await aboutSignerAccount('freeze');
      return signed;
    },
  };
  await harness.poll({ signerOf: () => slow });
  await harness.mineAndPoll(3);
  expect(await harness.balance(order.to)).toBe(0n);
  expect(await harness.rows('SELECT FROM chain_transactions WHERE raw IS NOT NULL')).toEqual([]);
});
