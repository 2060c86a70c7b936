import {
  runAct,
  type ActDeps,
  type ActEntry,
  type ActOutcome,
} from '../../modules/operations/acts/operator-act.ts';
import type { OperatorAct } from '../../modules/approvals/propose-approval.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { OpsDeps } from './command-context.ts';
import { tellHandedIn } from './handed-in.ts';

/** An act as a command asks for it. */
export interface ActAsked {
  readonly entry: ActEntry;
  find(deps: ActDeps): Promise<unknown>;
  /** What is said where it finds nothing. */
  readonly missing: string;
  readonly values: Readonly<Record<string, string>>;
  readonly act: OperatorAct;
  /** Whether the command ends once its proposal is decided. */
  readonly isWaitedFor?: boolean;
}

/** The mails of a command are sent by the reconciler. */
export const actDeps = (deps: Omit<ActDeps, 'dispatchMail'>): ActDeps => ({
  ...deps,
  dispatchMail: () => undefined,
});

/**
 * Does the first of the acts that can be done as their subject stands, prints what came of it, and answers the exit
 * code. Throws PlainError where none can.
 */
export async function performAct(deps: OpsDeps, asked: readonly ActAsked[]): Promise<number> {
  const acting = actDeps(deps);
  for (const [index, { entry, values, act, ...one }] of asked.entries()) {
    const subject = await one.find(acting);
    if (subject === null) throw new PlainError(one.missing);
    const by = { operator: act.operator, now: deps.clock.now(), mayRepeat: true };
    const refusal = entry.refusal?.(subject, by) ?? null;
    if (refusal !== null && index < asked.length - 1) continue;
    if (refusal !== null) throw new PlainError(refusal.why);
    const problems = (await entry.check?.(acting, subject, values)) ?? [];
    if (problems.length > 0) {
      throw new PlainError(problems.map(({ message }) => message).join('\n'));
    }
    return tell(
      deps,
      await runAct(entry, acting, { subject, values, act }),
      one.isWaitedFor ?? false,
    );
  }
  throw new Error('a command has an act');
}

/** Prints what came of an act. Throws PlainError where it was not done. */
async function tell(deps: OpsDeps, outcome: ActOutcome, isWaitedFor: boolean): Promise<number> {
  switch (outcome.kind) {
    case 'DONE': {
      deps.print(outcome.text);
      const more = await outcome.after?.(deps.showProgress);
      if (more !== undefined && more !== '') deps.print(more);
      return 0;
    }
    case 'PROPOSED':
      return tellHandedIn(deps, outcome.approvalId, isWaitedFor);
    case 'SHOWN':
      throw new Error('a command that shows something is written out');
    case 'WAITS_ALREADY':
      throw new PlainError(
        `A proposal about ${outcome.about} is already open. See: npm run ops -- approvals list`,
      );
    case 'REFUSED':
    case 'NO_ANSWER':
      throw new PlainError(outcome.why);
  }
}
