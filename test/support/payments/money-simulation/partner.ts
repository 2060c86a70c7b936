import { expect } from 'vitest';
import type { PaymentHarness } from '../../payment-harness.ts';
import type { Agenda } from './agenda.ts';
import { toText } from './currencies.ts';
import { isQuoted, type OrderPlan } from './order-plan.ts';
import { orderBody } from './order-body.ts';
import type { SimulatedPayer } from './payers.ts';
import type { Answer, AnswerJson, Told } from './told.ts';

export interface PartnerDeps {
  readonly harness: PaymentHarness;
  readonly agenda: Agenda;
  readonly day: () => number;
  readonly payers: readonly SimulatedPayer[];
}

/** The numbers of twins begin here. */
export const TWINS_FROM = 1_000_000;

/** What a partner may be told that means nothing but "once more". */
const COME_AGAIN = ['idempotency_key_in_progress', 'service_unavailable'];
const TRIES_MAX = 200;

/** A partner that does what the plans say; `onAccepted` hears of each payment. */
export function createPartner(deps: PartnerDeps, onAccepted: (told: Told, id: string) => void) {
  const { harness, agenda, payers } = deps;
  const all: Told[] = [];

  async function post(payer: SimulatedPayer, url: string, body: object, key: string | null = null) {
    for (let tries = 1; ; tries += 1) {
      const { token } = payer;
      const answer = await harness.ask({ method: 'POST', url, body, key, token });
      const json = answer.json<AnswerJson>();
      if (COME_AGAIN.includes(json.error) && tries < TRIES_MAX) continue;
      return { status: answer.statusCode, body: answer.body, json };
    }
  }

  async function askQuote(plan: OrderPlan): Promise<Answer> {
    const { quote, source, target, minor } = plan;
    const payer = payers[plan.kind === 'FOREIGN_QUOTE' ? 1 - plan.payer : plan.payer]!;
    const [side, { currency }] =
      quote.fixedSide === 'SOURCE'
        ? (['sourceAmount', source] as const)
        : (['targetAmount', target] as const);
    return post(payer, '/quotes', {
      ...{ sourceCurrency: source.currency, targetCurrency: target.currency },
      ...{ [side]: toText(minor, currency), lockFor: quote.lockFor },
    });
  }

  async function place(plan: OrderPlan, number: number, quote: Told['quote']): Promise<void> {
    const payer = payers[plan.payer]!;
    const body = orderBody(plan, {
      number,
      payer,
      quote: quote?.answer ?? null,
      now: agenda.now(),
    });
    const key = `order-${String(number)}`;
    const answer = await post(payer, '/payments', body, key);
    const told: Told = { number, plan, payer, day: deps.day(), quote, answer, cancel: null };
    all.push(told);
    if (answer.status === 201) accepted(told, answer.json.id);
    await repeat(told, answer, body, key);
  }

  function accepted(told: Told, id: string): void {
    const { cancelAfterMs } = told.plan;
    onAccepted(told, id);
    if (cancelAfterMs === null) return;
    agenda.in(cancelAfterMs, async () => {
      told.cancel = await post(told.payer, `/payments/${id}/cancel`, {});
      if (told.number % 3 > 0) return;
      // Once more, which must come to the same, unless the bank is heard meanwhile.
      const again = await post(told.payer, `/payments/${id}/cancel`, {});
      if (told.cancel.status === 200) expect(again).toEqual(told.cancel);
      else expect(again.status).toBe(409);
    });
  }

  async function repeat({ plan, payer }: Told, first: Answer, body: object, key: string) {
    // A refusal uses no key up: what is asked again is judged anew.
    if (first.status !== 201) return;
    for (const how of plan.repeats) {
      const again = how === 'SAME' ? body : { ...body, externalId: 'another' };
      const answer = await post(payer, '/payments', again, key);
      if (how === 'SAME') expect(answer).toEqual(first);
      else
        expect(answer).toMatchObject({ status: 422, json: { error: 'idempotency_key_mismatch' } });
    }
  }

  return {
    all: all as readonly Told[],
    /** Does what a plan says, the later parts of it later. */
    async follow(plan: OrderPlan): Promise<void> {
      const { number, kind } = plan;
      if (!isQuoted(kind)) return place(plan, number, null);
      const quote = { answer: await askQuote(plan), day: deps.day() };
      if (quote.answer.status !== 201) {
        const payer = payers[plan.payer]!;
        all.push({ number, plan, payer, day: quote.day, quote, answer: null, cancel: null });
        return;
      }
      agenda.in(plan.quote.waitMs, async () => {
        const numbers = kind === 'TWINS' ? [number, TWINS_FROM + number] : [number];
        await Promise.all(numbers.map((one) => place(plan, one, quote)));
      });
    },
  };
}
