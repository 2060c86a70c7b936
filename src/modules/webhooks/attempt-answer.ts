import type { AttemptResult } from '../../domain/webhooks/attempt.ts';
import type { Vault } from '../../vault/vault.ts';

interface AnsweredDelivery {
  readonly endpointId: string;
  readonly eventId: string;
}

/** Seals what a receiver answered: a foreign text, which may hold anything. Null where it is empty. */
export function sealAnswer(
  vault: Vault,
  delivery: AnsweredDelivery,
  result: AttemptResult,
): Buffer | null {
  const { answer = '' } = result;
  return answer === '' ? null : vault.sealJson({ answer }, answerRow(delivery));
}

/** The beginning of what a receiver answered. */
export function openAnswer(vault: Vault, delivery: AnsweredDelivery, sealed: Buffer): string {
  return vault.openJson<{ answer: string }>(sealed, answerRow(delivery)).answer;
}

/** The row that answers of a delivery are sealed for. */
export const answerRow = ({ endpointId, eventId }: AnsweredDelivery): string =>
  `webhook_attempts/${endpointId}/${eventId}`;
