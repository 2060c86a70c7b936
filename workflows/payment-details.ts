import type { PaymentStep } from '../src/domain/payments/next-step.ts';

/** What Temporal UI shows of a payment, as Markdown: where it stands, and who takes the next step. */
export function describeStep(paymentId: string, step: PaymentStep): string {
  if (step.kind === 'DONE') return `**${step.status}**`;
  const { waitMs, needsHuman, standing } = step;
  const seconds = String(Math.ceil(waitMs / 1_000));
  const isHeld = standing?.state.startsWith('ON_HOLD') === true;
  const goesOn = isHeld
    ? 'The payment continues once the hold is lifted.'
    : 'Causeway takes the next step.';
  const next = needsHuman ? 'An operator decides.' : goesOn;
  return [
    ...(standing === undefined ? [] : [`**${standing.state}** since ${standing.since}`, '']),
    ...(standing?.reference ? [`- Reference at the bank: \`${standing.reference}\``] : []),
    `- Next: ${next} Causeway looks again within ${seconds} s.`,
    `- Command: \`npm run ops -- payments show ${paymentId}\``,
  ].join('\n');
}
