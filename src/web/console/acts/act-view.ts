import type { ActInputs, ActValues } from '../../../modules/operations/acts/operator-act.ts';
import type { FieldProblem } from '../../kit/forms/form-rules.ts';
import type { TimeText } from '../../kit/time-text.ts';
import type { Children } from '../../kit/parts/types.ts';
import type { ConsoleDeps } from '../console-deps.ts';

/** One field of a form, as the page of an act shows it in place of the usual one. */
export interface FieldGiven<Subject> {
  readonly subject: Subject;
  readonly value: string | undefined;
  readonly problems: readonly FieldProblem[];
}

/** What the console shows beside an entry of the table of acts. */
export interface ActView<Subject = unknown, Inputs extends ActInputs = ActInputs> {
  /** The href of the sidebar's item that it belongs to. */
  readonly current: string;
  /** The page that it was opened from, and that shows what came of it. */
  trail(subject: Subject): { readonly href: string; readonly text: string; readonly here: string };
  /** Facts about the subject, below what the act does. */
  facts?(
    subject: Subject,
    values: Partial<ActValues<Inputs>>,
    given: { readonly deps: ConsoleDeps; readonly times: TimeText },
  ): Children;
  readonly fields?: {
    readonly [Name in keyof Inputs]?: (given: FieldGiven<Subject>) => Children;
  };
  /** The page of what an operator asked to see. */
  shown?(subject: Subject, shown: unknown): { readonly title: string; readonly body: Children };
  /** A proposal leads back to the page of its subject, which shows it, and not to that of approvals. */
  readonly isProposalShownThere?: boolean;
  /** The form stands on another page: there is no page of its own. */
  readonly isFormElsewhere?: boolean;
}
