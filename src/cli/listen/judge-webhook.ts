import { verifyWebhook, type WebhookRefusal } from '../../vault/webhook-signatures/signature.ts';
import type { IncomingWebhook } from './receiver.ts';

/** An event as its body has it. */
interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly resource: { readonly type: string; readonly id: string; readonly version: number };
  readonly data: unknown;
}

interface Arrived {
  readonly receivedAt: Date;
  /** `webhook-id`, no matter who wrote it. */
  readonly id: string | null;
  readonly bytes: number;
}

/** What was received. Of what is not genuine nothing is kept but that it came. */
export type JudgedWebhook =
  | (Arrived & { readonly isGenuine: false; readonly reason: WebhookRefusal })
  | (Arrived & {
      readonly isGenuine: true;
      readonly event: ReceivedEvent;
      /** From what happened to now, by two clocks: it may be negative. */
      readonly delayMs: number;
    });

/** Judges a webhook by the endpoint's secret. The body is parsed only if it is genuine. */
export function judgeWebhook(secret: string, webhook: IncomingWebhook, now: Date): JudgedWebhook {
  const { headers, body } = webhook;
  const id = headers['webhook-id'];
  const arrived = {
    receivedAt: now,
    id: typeof id === 'string' ? id : null,
    bytes: body.length,
  };
  const verdict = verifyWebhook([secret], headers, body, now);
  if (!verdict.ok) return { ...arrived, isGenuine: false, reason: verdict.reason };
  const event = JSON.parse(body.toString('utf8')) as ReceivedEvent;
  const delayMs = now.getTime() - Date.parse(event.timestamp);
  return { ...arrived, isGenuine: true, event, delayMs };
}
