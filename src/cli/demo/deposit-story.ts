import { formatAmount } from '../../domain/money/amount.ts';
import type { DevState } from '../dev/dev-stack.ts';
import { countMovements } from './bank-evidence.ts';
import { NETWORK, findTransfers } from './chain-evidence.ts';
import { list, text } from './json.ts';
import { referenceOf, type Partner } from './partner.ts';
import { mustHold, until } from './step.ts';

type Say = (line: string) => void;

/** Some ten blocks of a second each, and what the other payments take meanwhile. */
const FINAL_MS = 60_000;

/**
 * Orders 40 EUR to a bank account that a deposit of USDC pays for, and sends what is due to the payment's own
 * address. Null where no chain runs, which is said.
 */
export async function orderByDeposit(
  partner: Partner,
  { chain }: DevState,
  to: { readonly endUserId: string; readonly bankAccountId: string },
  say: Say,
): Promise<string | null> {
  if (chain?.networks.includes(NETWORK) !== true) {
    say(`Deposit             left out: no chain of ${NETWORK} runs here`);
    return null;
  }
  const { body } = await partner.post(
    '/payments',
    {
      ...{ ...to, amount: '40.00', currency: 'EUR', reference: 'Invoice 4714' },
      funding: { type: 'CRYPTO_DEPOSIT', asset: 'USDC', network: NETWORK },
    },
    { 'idempotency-key': 'demo-payment-4' },
  );
  const paymentId = text(body['id']);
  const { address, amountDue } = body['funding'] as Readonly<Record<string, unknown>>;
  mustHold(body['statusDetail'] === 'AWAITING_DEPOSIT', 'the payment does not wait for a deposit');
  say(
    `Paid by deposit     ${paymentId}, 40.00 EUR for ${text(amountDue)} USDC to ${text(address)}`,
  );
  await partner.post('/sandbox/token-deposits', {
    ...{ address: text(address), network: NETWORK, asset: 'USDC', amount: text(amountDue) },
  });
  return paymentId;
}

/** Waits until deposit and payment are done, and looks both up: the one on the chain, the other at the bank. */
export async function settleByDeposit(
  partner: Partner,
  { chain, bankUrl }: DevState,
  paymentId: string,
  say: Say,
): Promise<void> {
  const deposit = await until('the final block of the deposit', FINAL_MS, async () => {
    const { body } = await partner.get(`/deposits?paymentId=${paymentId}`);
    return list(body['data']).find(({ status }) => status === 'FINAL') ?? null;
  });
  mustHold(deposit['appliedTo'] === 'PAYMENT', 'the deposit does not pay for the payment');
  const { body } = await partner.get(`/payments/${paymentId}`);
  mustHold(body['status'] === 'COMPLETED', `the payment by deposit is ${text(body['status'])}`);
  const { address, amountDue } = body['funding'] as Readonly<Record<string, unknown>>;
  mustHold(chain !== null, 'the chain is gone');
  const hash = text(deposit['txHash']);
  const [transfer, ...more] = await findTransfers(chain.controlUrl, hash);
  mustHold(transfer !== undefined && more.length === 0, 'the transaction is not one transfer');
  mustHold(
    transfer.to === text(address).toLowerCase() &&
      formatAmount(transfer.amount, 'USDC') === text(amountDue),
    'the chain shows another deposit',
  );
  const moved = await countMovements(bankUrl, await referenceOf(partner, paymentId));
  mustHold(moved === 1, `the bank moved money ${String(moved)} times`);
  say(`Fourth payment      COMPLETED; block ${String(transfer.block)} holds its deposit ${hash}`);
  say('  at the bank       one movement of 40.00 EUR');
}
