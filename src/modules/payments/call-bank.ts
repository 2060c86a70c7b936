import type { AttemptRow } from '../../db/payments/settlement-attempt-store.ts';
import type { Clock } from '../../domain/clock.ts';
import type { PayoutConnector } from '../../domain/payments/connector.ts';
import { knownBefore, unclearBefore } from '../../domain/payments/paid-before-restore.ts';
import { laterReferences } from '../../domain/payments/reference.ts';
import {
  FRUITLESS_SENDS_MAX,
  type SettlementTiming,
} from '../../domain/payments/settlement-timing.ts';
import type { AskAnswer, TransferAnswer } from '../../domain/payments/transfer-report.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Send } from './claim-attempt.ts';
import { openEncodedTransfer } from './ready-attempt.ts';

/**
 * Sends the committed bytes of an attempt, once. Sends nothing, and says so, where so much time has passed since the
 * commit that the answer could come after the attempt's deadline.
 */
export async function sendInTime(
  deps: { readonly vault: Vault; readonly clock: Clock; readonly timing: SettlementTiming },
  connector: PayoutConnector,
  { attempt, owner }: Send,
): Promise<TransferAnswer> {
  const { reference } = attempt;
  const encodedTransfer = openEncodedTransfer(deps.vault, owner, attempt);
  const { bankTimeoutMs } = deps.timing;
  const leftMs = attempt.deadlineAt.getTime() - deps.clock.now().getTime();
  if (leftMs < bankTimeoutMs) return { kind: 'NOT_SENT', why: 'TOO_LATE' };
  return connector.submit({ reference, encodedTransfer }, { timeoutMs: bankTimeoutMs });
}

/**
 * Asks a connector where an attempt is. After a restore, "never seen" counts only where the connector has not seen the
 * references of later attempts either, and no other of `rails` has moved money for any of them: the database before the
 * restore may have paid under one of those references, or over another rail.
 */
export async function askAboutAttempt(
  connector: PayoutConnector,
  rails: readonly PayoutConnector[],
  { reference, isRestored }: AttemptRow,
  { bankTimeoutMs: timeoutMs }: SettlementTiming,
): Promise<TransferAnswer> {
  const answer = await connector.ask(reference, { timeoutMs });
  if (!isRestored || answer.kind !== 'NEVER_SEEN') return answer;
  const later = laterReferences(reference, FRUITLESS_SENDS_MAX - 1);
  const ask = (rail: PayoutConnector, references: readonly string[]) =>
    references.map(async (one) => ({ rail, one, answer: await rail.ask(one, { timeoutMs }) }));
  const others = rails.filter((rail) => rail !== connector);
  const asked = await Promise.all([
    ...ask(connector, later),
    ...others.flatMap((rail) => ask(rail, [reference, ...later])),
  ]);
  const unclear = asked.filter((said) =>
    said.rail === connector ? said.answer.kind !== 'NEVER_SEEN' : !movesNothing(said.answer),
  );
  const known = unclear.find((said) => said.answer.kind === 'REPORT');
  if (known !== undefined) return silent(knownBefore(known.one, known.rail.name));
  const [first] = unclear;
  return first === undefined ? answer : silent(unclearBefore(first.one, first.rail.name));
}

const silent = (why: string) => ({ kind: 'SILENCE', why }) as const;

const movesNothing = (answer: AskAnswer): boolean =>
  answer.kind === 'NEVER_SEEN' || (answer.kind === 'REPORT' && answer.report.status === 'REJECTED');
