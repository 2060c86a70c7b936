import type { EventDraft } from '../../../domain/webhooks/events/envelope.ts';
import type { EventType } from '../../../domain/webhooks/event-types.ts';
import { DEPOSIT_ADDRESS_SAMPLES } from './deposit-address-samples.ts';
import { DEPOSIT_SAMPLES } from './deposit-samples.ts';
import { ENDPOINT_SAMPLES, pingEvent } from './endpoint-samples.ts';
import { BALANCE_SAMPLES, BATCH_SAMPLES } from './money-samples.ts';
import { PAYMENT_SAMPLES } from './payment-samples.ts';
import { BANK_ACCOUNT_SAMPLES, END_USER_SAMPLES, KYC_SAMPLES } from './people-samples.ts';
import { sampleId } from './sample-ids.ts';
import { WALLET_SAMPLES } from './wallet-samples.ts';

const SAMPLES: Readonly<Record<EventType, (at: Date) => EventDraft>> = {
  ...END_USER_SAMPLES,
  ...KYC_SAMPLES,
  ...BANK_ACCOUNT_SAMPLES,
  ...WALLET_SAMPLES,
  ...DEPOSIT_ADDRESS_SAMPLES,
  ...PAYMENT_SAMPLES,
  ...BATCH_SAMPLES,
  ...DEPOSIT_SAMPLES,
  ...BALANCE_SAMPLES,
  ...ENDPOINT_SAMPLES,
  ping: () => pingEvent(sampleId('whe'), 1),
};

/**
 * A made-up event of a type that happened at `at`: the code that tells of real resources tells of ones
 * that no one has.
 */
export const sampleEvent = (type: EventType, at: Date): EventDraft => SAMPLES[type](at);
