import type { OpsAttempt } from '../../../../db/operations/ops-store.ts';
import { toDoAbout } from '../../../../domain/payments/paid-before-restore.ts';
import { Facts } from '../../../kit/parts/facts.tsx';
import type { Children } from '../../../kit/parts/types.ts';
import { Coded } from '../../parts/coded.tsx';
import { momentOrDash } from '../../parts/moments.ts';
import { answerWords, phaseWords, reasonWords } from '../../words/bank-answer-words.ts';

/** What the bank was asked about a payment, what it answered, and what keeps an attempt from being sent. */
export const Attempts = ({ attempts }: { readonly attempts: readonly OpsAttempt[] }) =>
  attempts.length === 0 ? (
    <p class="muted">The engine has not sent it to the bank.</p>
  ) : (
    <>
      {attempts.map((attempt) => (
        <div key={attempt.reference} class="entry">
          <Facts facts={factsOf(attempt)} />
        </div>
      ))}
    </>
  );

function factsOf(attempt: OpsAttempt): (readonly [string, Children])[] {
  const { reference, phase, sends, lastAnswer, bankReference, nextAskAt, heldBy } = attempt;
  const reason = reasonWords(attempt.reason, phase);
  return [
    ['Our reference', <code>{reference}</code>],
    ['State', <Coded words={phaseWords(phase)} code={phase} />],
    ['Times sent', String(sends)],
    ['Last answer', <Coded {...answerWords(lastAnswer)} />],
    ...(reason === null ? [] : [['Reason', <Coded {...reason} />] as const]),
    ['Bank’s reference', bankReference ?? '–'],
    ...(nextAskAt === null ? [] : [['Next question (UTC)', momentOrDash(nextAskAt)] as const]),
    ...(heldBy === null
      ? []
      : [
          [
            'Not sent because',
            <>
              {toDoAbout(heldBy)} <code class="code-beside">{heldBy}</code>
            </>,
          ] as const,
        ]),
  ];
}
