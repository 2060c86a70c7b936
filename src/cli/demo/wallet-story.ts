import { formatAmount } from '../../domain/money/amount.ts';
import type { DevState } from '../dev/dev-stack.ts';
import { NETWORK, findTransfers } from './chain-evidence.ts';
import { list, text } from './json.ts';
import type { Partner } from './partner.ts';
import { mustHold, until } from './step.ts';

type Say = (line: string) => void;

const AMOUNT = 25_000_000n;
/** Made up: it stands for a wallet of the end-user. */
const ADDRESS = '0x1111111111111111111111111111111111114711';
/** Some ten blocks of a second each. */
const FINAL_MS = 60_000;

/** Registers a wallet and orders 25 USDC to it, bought with euros. Null where no chain runs, which is said. */
export async function orderToWallet(
  partner: Partner,
  { chain }: DevState,
  endUserId: string,
  say: Say,
): Promise<string | null> {
  if (chain?.networks.includes(NETWORK) !== true) {
    say(`Wallet              skipped: no ${NETWORK} chain runs here`);
    return null;
  }
  const { body: wallet } = await partner.post('/wallets', {
    ...{ endUserId, network: NETWORK, address: ADDRESS },
    ownership: 'SELF_HOSTED',
  });
  const order = { endUserId, walletId: text(wallet['id']), asset: 'USDC', sourceCurrency: 'EUR' };
  const { body } = await partner.post(
    '/payments',
    { ...order, amount: formatAmount(AMOUNT, 'USDC') },
    { 'idempotency-key': 'demo-payment-3' },
  );
  const { amount, currency } = body['source'] as Readonly<Record<string, unknown>>;
  say(`Wallet              ${text(wallet['id'])} on ${NETWORK}, ${ADDRESS}`);
  say(`  payment           ${text(body['id'])}, 25 USDC for ${text(amount)} ${text(currency)}`);
  return text(body['id']);
}

/** Waits until the payment is final, and looks its transaction up on the chain. */
export async function settleOnChain(
  partner: Partner,
  { chain }: DevState,
  paymentId: string,
  say: Say,
): Promise<void> {
  const body = await until('the final block', FINAL_MS, async () => {
    const { body: payment } = await partner.get(`/payments/${paymentId}`);
    const { state } = payment['finality'] as { readonly state: string };
    return state === 'FINAL' ? payment : null;
  });
  const { status } = body['reconciliation'] as { readonly status: string };
  mustHold(body['status'] === 'COMPLETED', `the payment to the wallet is ${text(body['status'])}`);
  mustHold(status === 'RECONCILED', `the chain has not reconciled the payment: ${status}`);
  const hash = list(body['references']).find(({ type }) => type === 'TX_HASH')?.['value'];
  mustHold(hash !== undefined && chain !== null, 'the payment names no transaction');
  const [transfer, ...more] = await findTransfers(chain.controlUrl, text(hash));
  mustHold(transfer !== undefined && more.length === 0, 'the transaction is not one transfer');
  mustHold(
    transfer.to === ADDRESS && transfer.amount === AMOUNT,
    'the chain shows another payment',
  );
  const units = formatAmount(transfer.amount, 'USDC');
  say(`Third payment       FINAL; block ${String(transfer.block)} holds ${text(hash)}`);
  say(`  on the chain      ${units} USDC to ${transfer.to}, once`);
}
