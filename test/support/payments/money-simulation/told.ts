import type { OrderPlan } from './order-plan.ts';
import type { SimulatedPayer } from './payers.ts';

/** The fields of quotes, payments and errors that are looked at. */
export interface AnswerJson {
  readonly id: string;
  readonly error: string;
  readonly details?: readonly { readonly code: string }[];
  readonly targetAmount: string;
  readonly quoteId: string | null;
  readonly amount: string;
  readonly currency: string;
  readonly source: { readonly currency: string; readonly amount: string };
  readonly rate: string | null;
  readonly fees: readonly { readonly amount: string; readonly currency: string }[];
  readonly releaseAt?: string | null;
}

/** An answer of the API as the partner got it. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly json: AnswerJson;
}

/** All that a partner asked and was told about one order. */
export interface Told {
  /** Of the reference; a twin has one of its own. */
  readonly number: number;
  readonly plan: OrderPlan;
  readonly payer: SimulatedPayer;
  /** The day of the answer, from 0. */
  readonly day: number;
  /** Of POST /quotes, for an order by a quote; and the day of it. */
  readonly quote: { readonly answer: Answer; readonly day: number } | null;
  /** Of POST /payments, the first that was not "come again"; null where there was no quote to be had. */
  readonly answer: Answer | null;
  /** Of POST /payments/{id}/cancel. */
  cancel: Answer | null;
}
