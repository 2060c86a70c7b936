import type { Json, PartnerApi } from './partner-api.ts';
import { mustAnswer, objectOf, SmokeFailure, textOf, until } from './step.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** What the steps of one run share, and what they leave for those behind them. */
export interface SmokeDay {
  readonly api: PartnerApi;
  readonly receiver: WebhookReceiver;
  /** Where the installation is to send webhooks. */
  readonly webhookUrl: string;
  /** Of this run alone, as part of keys and names. */
  readonly run: string;
  /** How long a step waits for what must come. */
  readonly waitMs: number;
  /** Ids by the step that made the thing. */
  readonly made: Map<string, string>;
  /** The first payment's answer, byte for byte. */
  firstAnswer: string;
}

/** The id of what a step before has made. Throws SmokeFailure where it made nothing. */
export function madeBy({ made }: SmokeDay, step: string): string {
  const id = made.get(step);
  if (id === undefined) throw new SmokeFailure(`"${step}" made nothing`);
  return id;
}

/** Made up, and the account of the standard's own example. */
export const HOLDER = { firstName: 'Ada', lastName: 'Sample', iban: 'DE89370400440532013000' };

/** An order of euros to the account of this run. */
export const orderOf = (day: SmokeDay, amount: string): Record<string, string> => {
  return {
    endUserId: madeBy(day, 'end-user'),
    bankAccountId: madeBy(day, 'bank account'),
    ...{ amount, currency: 'EUR', reference: `Smoke ${day.run}` },
  };
};

/** Waits until a payment has a status. Throws SmokeFailure where it ends in another one. */
export async function untilStatus(day: SmokeDay, paymentId: string, wanted: string): Promise<Json> {
  return until<Json>(`${wanted} of ${paymentId}`, day.waitMs, async () => {
    const answer = await day.api.get(`/payments/${paymentId}`);
    const payment = mustAnswer(answer, 200, 'the payment');
    const status = textOf(payment, 'status');
    if (status === wanted) return { found: payment };
    const isOver = ['COMPLETED', 'FAILED', 'CANCELED', 'EXPIRED', 'RETURNED'].includes(status);
    if (isOver) throw new SmokeFailure(`${paymentId} is ${status}, not ${wanted}`);
    return { seen: `${status} / ${String(payment['statusDetail'])}` };
  });
}

/** Waits until a payment is found in the bank's statement, or on the chain. */
export const untilReconciled = (day: SmokeDay, paymentId: string): Promise<Json> =>
  until<Json>(`RECONCILED of ${paymentId}`, day.waitMs, async () => {
    const payment = mustAnswer(await day.api.get(`/payments/${paymentId}`), 200, 'the payment');
    const { status } = objectOf(payment, 'reconciliation');
    return status === 'RECONCILED' ? { found: payment } : { seen: String(status) };
  });
