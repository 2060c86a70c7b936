import { afterAll, beforeAll, it } from 'vitest';
import { replaceRates } from '../../../src/db/payments/fx-rate-store.ts';
import { chainWorkflowId } from '../../../src/domain/onchain/network.ts';
import { depositsWorkflowId } from '../../../src/adapters/temporal/temporal-workflow-client.ts';
import { PLACE } from '../../support/onchain/signer-harness.ts';
import { mintUsdc } from '../../support/onchain/usdc.ts';
import { startChainEngine, type ChainEngine } from '../../support/workflow/chain-engine.ts';
import { keepHistory } from './keep-history.ts';

let chain: ChainEngine;
beforeAll(async () => {
  chain = await startChainEngine();
});
afterAll(() => chain.close());

it('records a payment to a wallet and one that a deposit pays for, with the workflows of their chain', async () => {
  const { engine, anvil, usdc } = chain;
  const keep = (name: string, workflowId: string) => keepHistory(engine, name, workflowId);

  const { id: paidOut } = await chain.payWallet('25.00');
  const out = await chain.workflowIdOf(paidOut);
  await engine.historyOf(out);
  await keep('payment-to-wallet', out);
  await engine.historyOf(chainWorkflowId(PLACE));
  await keep('chain', chainWorkflowId(PLACE));

  const asOf = engine.resources.clock.now();
  const legs = ['EUR', 'USDC'].map((one) => {
    return { source: 'sample', base: 'USD', quote: one, rate: '1', asOf };
  });
  await engine.resources.db.system((tx) => replaceRates(tx, legs, asOf));
  const to = await engine.addBeneficiary();
  const funding = { type: 'CRYPTO_DEPOSIT', asset: 'USDC', network: PLACE.network };
  const { id, workflowId } = await engine.pay(to, '10.00', { funding });
  const due = await engine.call<{ funding: { address: string; amountDue: string } }>(
    'GET',
    `/payments/${id}`,
  );
  const { address, amountDue } = due.funding;
  await mintUsdc(anvil, usdc, address, BigInt(amountDue.replace('.', '')));
  await engine.untilPayment(id, 'COMPLETED');
  await engine.historyOf(workflowId);
  await keep('payment-paid-by-deposit', workflowId);
  await keep('deposits', depositsWorkflowId(PLACE));
});
