import type { FastifyRequest } from 'fastify';
import type { ApprovalDeps, OperatorAct } from '../../../modules/approvals/propose-approval.ts';
import type { OperatorRight } from '../../../domain/customers/access/operator-rights.ts';
import type { Operator } from '../../../domain/customers/access/person.ts';
import type { FieldProblem, FormRules } from '../../kit/forms/form-rules.ts';
import type { FormValues } from '../../kit/forms/read-form.ts';
import type { Children } from '../../kit/parts/types.ts';
import type { ConsoleDeps } from '../console-deps.ts';
import type { ActingIn } from './form-database.ts';

/** What every act asks for: why. */
export const REASON = {
  reason: { what: 'a reason', lengthMax: 500, check: refuseControls },
} as const;

function refuseControls(text: string): string | null {
  return /\p{Cc}/u.test(text) ? 'Write it in one line of plain text.' : null;
}

/** What the page of an act says. */
export interface ActPage {
  readonly title: string;
  /** What the button does, in a word or two. */
  readonly submit: string;
  /**
   * The act as its second step and the mail of its code name it: what is done, to what, and what tells it from
   * another act. Ids and codes, nothing personal, and no amount.
   */
  readonly words: string;
  readonly trail: { readonly href: string; readonly text: string; readonly here: string };
  /** What happens then, and what it is about. */
  readonly about: Children;
  readonly isDangerous?: boolean;
}

/** An act as its form was sent, once it is proven. */
export interface Acting<Rules extends FormRules, Subject> {
  readonly subject: Subject;
  readonly values: FormValues<Rules>;
  readonly act: OperatorAct;
  readonly operator: Operator;
  /** Its database uses the form in the transaction of what is done. */
  readonly deps: ActingDeps;
  /** A mail that was written by then, to be handed on once all is committed. */
  readonly mailed: (mailId: string) => void;
}

/** What use cases of an act work with. */
export type ActingDeps = ConsoleDeps & Required<Pick<ApprovalDeps, 'tellApprovers'>>;

/** Who opens the form of an act, where the path's parameters are. */
export interface ActAsked {
  readonly id: string;
  readonly operator: Operator;
  readonly request: FastifyRequest;
}

/**
 * One act of an operator: a page of its own with a form, which is sent to the same path. A decision, so it
 * gives a reason and, where its right says so, takes a step-up.
 */
export interface Act<Rules extends FormRules, Subject> {
  readonly path: string;
  /** The href of the sidebar's item that it belongs to. */
  readonly current: string;
  readonly right: OperatorRight;
  /** What the form takes beside the reason. */
  readonly fields: Rules;
  readonly actingIn: ActingIn;
  /** It is good for nothing without Temporal: refused before a proof or the form is spent, where that is down. */
  readonly needsTemporal?: boolean;
  /** What it is about. Throws PageRefusal where there is none, or it cannot be done. */
  readonly load: (asked: ActAsked) => Promise<Subject>;
  /** `values`: of the form, as far as it is filled in; all of them, and right, where it is to be proven. */
  readonly page: (subject: Subject, values: Partial<FormValues<Rules>>) => ActPage;
  readonly inputs?: (
    subject: Subject,
    values: Partial<FormValues<Rules>>,
    problems: readonly FieldProblem[],
  ) => Children;
  /** What is wrong with the fields, which takes a look at the database. */
  readonly check?: (
    subject: Subject,
    values: FormValues<Rules>,
  ) => Promise<readonly FieldProblem[]>;
  /**
   * Does it, and answers the page to go to, or one that is shown this once. Throws ApprovalRefused where it
   * was overtaken.
   */
  readonly perform: (
    acting: Acting<Rules, Subject>,
  ) => Promise<string | { readonly title: string; readonly body: Children }>;
}
