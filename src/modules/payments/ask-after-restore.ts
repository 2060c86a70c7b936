import { laterReferences } from '../../domain/payments/reference.ts';
import { FRUITLESS_SENDS_MAX } from '../../domain/payments/settlement-timing.ts';
import type { AskAnswer, TransferStatus } from '../../domain/payments/transfer-report.ts';

/**
 * What rails say of a payment that a database before a restore may have sent. NOT_PAID: none has a transfer of it but
 * what it `rejected`. SEEN: one knows that reference, and has paid it or may still. SILENT: they have not said it of
 * all.
 */
export type AnswerAfterRestore =
  | { readonly kind: 'NOT_PAID'; readonly rejected: readonly string[] }
  | { readonly kind: 'SEEN'; readonly reference: string; readonly said: TransferStatus }
  | { readonly kind: 'SILENT' };

/** What carries transfers, as far as it is asked about them. */
interface Rail {
  ask(reference: string, limit: { readonly timeoutMs: number }): Promise<AskAnswer>;
}

/** So many references after the last one that a rail knows must be unknown to it: no attempt follows them. */
const UNKNOWN_AFTER = FRUITLESS_SENDS_MAX;
const ASKED = 2 * UNKNOWN_AFTER;

/**
 * Asks every rail of the environment about the first references of a payment, at once: it may have been sent before the
 * restore over another one than this one would.
 */
export async function askAfterRestore(
  rails: readonly Rail[],
  first: string,
  timeoutMs: number,
): Promise<AnswerAfterRestore> {
  const references = [first, ...laterReferences(first, ASKED - 1)];
  const calls = rails.flatMap((rail) =>
    references.map(async (reference, index) => {
      return { reference, index, answer: await rail.ask(reference, { timeoutMs }) };
    }),
  );
  const answers = await Promise.all(calls);
  const rejected: string[] = [];
  for (const { reference, index, answer } of answers) {
    if (answer.kind !== 'REPORT') continue;
    const said = answer.report.status;
    // After one that is rejected so late there may be more than was asked about.
    if (said !== 'REJECTED' || index >= ASKED - UNKNOWN_AFTER) {
      return { kind: 'SEEN', reference, said };
    }
    rejected.push(reference);
  }
  const isSilent = rails.length === 0 || answers.some(({ answer }) => answer.kind === 'SILENCE');
  return isSilent ? { kind: 'SILENT' } : { kind: 'NOT_PAID', rejected };
}
