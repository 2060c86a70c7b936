import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chainWorkflowId } from '../../../src/domain/onchain/network.ts';
import type { TestAnvil } from '../../support/onchain/anvil.ts';
import { PLACE } from '../../support/onchain/signer-harness.ts';
import { usdcCall } from '../../support/onchain/usdc.ts';
import { createOpsCommands } from '../../support/cli/ops/ops-commands.ts';
import { startChainEngine, type ChainEngine } from '../../support/workflow/chain-engine.ts';
import type { Engine } from '../../support/workflow/engine-harness.ts';

let chain: ChainEngine;
let engine: Engine;
let anvil: TestAnvil;

beforeAll(async () => {
  chain = await startChainEngine();
  ({ engine, anvil } = chain);
});
afterAll(() => chain.close());

const balanceOf = async (address: string): Promise<bigint> =>
  BigInt(
    await anvil.rpc<string>(
      'eth_call',
      { to: chain.usdc, data: usdcCall('balanceOf', address) },
      'latest',
    ),
  );

const seen = (id: string) =>
  engine.call('GET', `/payments/${id}`).then(({ status, ...rest }) => ({
    status,
    finality: (rest['finality'] as { state: string }).state,
    preliminary: rest['preliminary'],
  }));

const untilFinal = (id: string) =>
  expect
    .poll(() => seen(id), { interval: 200 })
    .toEqual({ status: 'COMPLETED', finality: 'FINAL', preliminary: false });

describe('a payment to a wallet', () => {
  it('is accepted over HTTP, paid on the chain, COMPLETED and FINAL, in 18 events at the most', async () => {
    const { id, address } = await chain.payWallet('25.00');
    await untilFinal(id);
    expect(await balanceOf(address)).toBe(25_000_000n);
    const history = await engine.historyOf(await chain.workflowIdOf(id));
    expect(history.events?.length).toBeLessThanOrEqual(18);
    // Nothing is under way any more: the chain's own workflow ends, and costs nothing.
    await engine.historyOf(chainWorkflowId(PLACE));
  });

  it('is found by the reconciler where the wake was lost', async () => {
    await chain.stopChainWorker();
    const { id } = await chain.payWallet('2.00');
    await engine.untilPayment(id, 'SENT');
    const handle = engine.handle(chainWorkflowId(PLACE));
    await handle.terminate('lost').catch(() => undefined);
    await chain.startChainWorker();
    await engine.run('sweep');
    await untilFinal(id);
  });

  it('waits for nodes that do not answer, at no cost of history', async () => {
    chain.nodes.isReadable = false;
    const { id, address } = await chain.payWallet('3.00');
    await engine.untilPayment(id, 'SENT');
    expect(await balanceOf(address)).toBe(0n);
    chain.nodes.isReadable = true;
    await untilFinal(id);
    expect(await balanceOf(address)).toBe(3_000_000n);
  });

  it('is given up by an operator while nothing of it was sent', async () => {
    chain.nodes.isReadable = false;
    const { id, address } = await chain.payWallet('4.00');
    await engine.untilPayment(id, 'SENT');
    const [row] = await engine.sql('SELECT reference FROM chain_transfers WHERE payment_id = $1', [
      id,
    ]);
    const reference = String(row?.['reference']);
    const { clock, workflows } = engine.resources;
    const getClient = () => engine.temporal.client;
    const ops = createOpsCommands(engine.peopleDb, clock, { workflows, getClient });
    const giveUp = (subject: string) =>
      ops('chain', 'void', subject, '--reason', 'sent in error', '--operator', 'ada');
    expect(await giveUp('pay_none')).toEqual({
      ...{ code: 1, printed: 'There is no blockchain transfer of pay_none.' },
    });
    expect(await giveUp(id)).toMatchObject({ code: 0 });
    const again = await giveUp(reference);
    expect([again.code, again.printed]).toEqual([1, expect.stringContaining('cannot be voided')]);
    const audited = await engine.sql(
      `SELECT actor, environment, subject, details FROM audit_log WHERE action = 'transfer.void'`,
    );
    const asked = { environment: 'test', subject: id, actor: 'operator:ada' };
    const details = { reference, reason: 'sent in error' };
    // The second one was refused, and changed nothing.
    expect(audited).toEqual([{ ...asked, details }]);
    chain.nodes.isReadable = true;
    await engine.untilPayment(id, 'FAILED');
    expect(await balanceOf(address)).toBe(0n);
  });
});
