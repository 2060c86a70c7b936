import type { DeliveryListRow } from '../../../db/webhooks/webhook-delivery-list-store.ts';
import type { WebhookEndpointRow } from '../../../db/webhooks/webhook-endpoint-store.ts';
import type { ChipProps } from '../../kit/parts/chip.tsx';

const DISABLED: Readonly<Record<NonNullable<WebhookEndpointRow['disabledReason']>, ChipProps>> = {
  REQUESTED: { tone: 'none', text: 'Disabled' },
  RECEIVER_GONE: { tone: 'bad', text: 'Disabled: answered 410' },
  FAILING: { tone: 'bad', text: 'Disabled: failed for four days' },
};

/** How an endpoint is doing, from its own row. */
export function endpointWord(row: WebhookEndpointRow): ChipProps {
  if (row.status === 'DISABLED') return DISABLED[row.disabledReason ?? 'REQUESTED'];
  if (row.failingSince !== null) return { tone: 'bad', text: 'Failing' };
  if (row.isCatchingUp) return { tone: 'moving', text: 'Catching up' };
  if (row.isSlow) return { tone: 'wait', text: 'Slow' };
  return { tone: 'ok', text: 'Healthy' };
}

export function deliveryWord({
  status,
  attempts,
}: Pick<DeliveryListRow, 'status' | 'attempts'>): ChipProps {
  if (status === 'DELIVERED') return { tone: 'ok', text: 'Delivered' };
  if (status === 'EXHAUSTED') return { tone: 'bad', text: 'Out of attempts' };
  return attempts === 0
    ? { tone: 'moving', text: 'Waiting' }
    : { tone: 'wait', text: 'Will be retried' };
}

/** What came of the last attempt: "500 STATUS", "TIMEOUT", "204". */
export function answerWord(statusCode: number | null, error: string | null): string {
  const parts = [statusCode === null ? '' : String(statusCode), error ?? ''];
  return parts.filter((part) => part !== '').join(' ') || 'none';
}

/** Milliseconds as people read them: "340 ms", "2.1 s", "3 min". */
export function durationWord(ms: number): string {
  if (ms < 1_000) return `${String(ms)} ms`;
  if (ms < 120_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${String(Math.round(ms / 60_000))} min`;
}
