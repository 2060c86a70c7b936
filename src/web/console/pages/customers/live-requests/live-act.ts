import type { OperatorAct } from '../../../../../modules/approvals/propose-approval.ts';
import type { SystemTransaction } from '../../../../../db/client/database.ts';
import type { ActingDeps } from '../../../acts/act.ts';

/** One act about live access: a page of its own with a form, sent to the same path. */
export interface LiveAct<Subject> {
  /** Its route, with `:id` for what it is about. */
  readonly path: string;
  /** The href of the sidebar's item that it belongs to. */
  readonly current: string;
  readonly title: string;
  readonly submit: string;
  readonly about: string;
  readonly reasonHint: string;
  readonly isDangerous: boolean;
  /** Throws PageRefusal (404) where there is no such thing. */
  readonly load: (tx: SystemTransaction, id: string, now: Date) => Promise<Subject>;
  readonly customerOf: (subject: Subject) => { readonly id: string; readonly name: string };
  /** The page that it was opened from, and that shows what came of it. */
  readonly back: (subject: Subject) => string;
  /** Why it cannot be done as things are, in a sentence; null where it can. */
  readonly problem: (subject: Subject) => string | null;
  /** Does it in a transaction, and answers the ids of mails to be handed on. Throws ApprovalRefused. */
  readonly perform: (
    deps: ActingDeps,
    tx: SystemTransaction,
    subject: Subject,
    act: OperatorAct,
  ) => Promise<readonly string[]>;
}
