import { isGrpcServiceError, type Client } from '@temporalio/client';
import type { Database } from '../../../db/client/database.ts';
import { isReleaseBusy } from '../../../db/operations/release-busy.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { OperatorRight } from '../../../domain/customers/access/operator-rights.ts';
import type { CorridorTable } from '../../../domain/payments/corridors/corridor-table.ts';
import type { Environment } from '../../../domain/scope.ts';
import type { WorkflowClient } from '../../../domain/workflows/workflow-client.ts';
import type { Vault } from '../../../vault/vault.ts';
import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import type { OperatorKeys } from '../../../domain/approvals/operator-keys.ts';
import type { ApprovalDeps, OperatorAct } from '../../approvals/propose-approval.ts';
import type { ActInput, ActInputs, ActValues } from './act-input.ts';

/** What acts work with. The console gives a database that uses the form in the transaction of the act. */
export interface ActDeps extends Pick<ApprovalDeps, 'tellApprovers'> {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly workflows: WorkflowClient;
  readonly corridors: CorridorTable;
  /** What the signatures of approvals are judged by. */
  readonly operatorKeys: OperatorKeys;
  readonly getClient: () => Client;
  /** Days that a KYC approval stands; 0: without an end of ours. */
  readonly kycApprovalDays: Readonly<Record<Environment, number>>;
  /** Where mails to customers' users lead to, and where mails to operators do. */
  readonly dashboardUrl: string;
  readonly opsUrl: string;
  /** Hears of each mail that an act has written. What is not handed on, the reconciler sends. */
  readonly dispatchMail: (mailId: string) => void;
}

/** What an act is about: how it is found by its id. */
export interface ActSubject<Subject> {
  /** Null where there is none. */
  find(deps: ActDeps, id: string): Promise<Subject | null>;
  /** The sentence that says so. */
  missing(id: string): string;
}

/** Why an act is not done, in sentences for the operator. Nothing was changed, unless it says otherwise. */
export interface ActRefused {
  readonly kind: 'REFUSED';
  /** A heading: "Already decided". */
  readonly title: string;
  readonly why: string;
}

/** What became of an act. */
export type ActOutcome =
  | {
      readonly kind: 'DONE';
      /** What was done, in a sentence or two. */
      readonly text: string;
      /** Work that follows the act that may fail without harm, and that a page does not wait for. It answers a sentence. */
      readonly after?: (showProgress: (text: string) => void) => Promise<string>;
    }
  | { readonly kind: 'PROPOSED'; readonly approvalId: string }
  /** A proposal about the same thing waits. */
  | { readonly kind: 'WAITS_ALREADY'; readonly about: string }
  /** What an operator asked to see. It is shown once. */
  | { readonly kind: 'SHOWN'; readonly shown: unknown }
  | ActRefused
  /** A part of the engine did not answer. `isWritten`: the act was stored, and takes effect once that part runs. */
  | { readonly kind: 'NO_ANSWER'; readonly why: string; readonly isWritten: boolean };

/** A problem with one value that only the database shows. */
export interface ActProblem {
  readonly field: string;
  readonly message: string;
}

/** An act as it was asked for, with all of its values. */
export interface AskedAct<Subject, Inputs extends ActInputs> {
  readonly subject: Subject;
  readonly values: ActValues<Inputs>;
  readonly act: OperatorAct;
}

/** Who asks for an act, and when. */
export interface ActBy {
  readonly operator: string;
  readonly now: Date;
  /** A command does again what was done, for what of it may have been cut off. A page does not. */
  readonly mayRepeat: boolean;
}

/** How a command names what it acts on, where one id does not do. */
export interface CommandLocator<Subject> {
  readonly inputs: ActInputs;
  /** What is wrong with the values together; null where nothing is. */
  judge?(values: ActValues<ActInputs>): string | null;
  find(deps: ActDeps, values: ActValues<ActInputs>): Promise<Subject | null>;
  missing(values: ActValues<ActInputs>): string;
}

export interface ActCommand<Subject> {
  /** As `payments retry`. Acts on subjects of several kinds may share a line. */
  readonly line: string;
  /** The argument or option that the id comes in, as `<id>` or `--case <id>`. */
  readonly id?: {
    readonly option: string;
    readonly help: string;
    /** Of acts that share a line: whether the id is of a subject of this one. */
    takes?(id: string): boolean;
    /** Where a command takes more subjects than the page does. */
    find?(deps: ActDeps, id: string): Promise<Subject | null>;
  };
  readonly locator?: CommandLocator<Subject>;
  /** `--all` must be given where every optional value is left out. */
  readonly isAllNamed?: boolean;
  /** The reason where none is given. */
  readonly reasonPreset?: string;
}

/** Why an act has no page, or no command. */
export interface NotThere {
  readonly none: string;
}

/**
 * One act of an operator: what it is called, what it takes, who may do it, and what it does. The form of the console,
 * the command of `ops`, and docs/reference/operator-acts.md are made from it.
 */
export interface ActEntry<Subject = unknown, Inputs extends ActInputs = ActInputs> {
  /** As `payments.retry`. */
  readonly name: string;
  /** The heading of its page. */
  readonly title: string;
  /** The word on the button. */
  readonly submit: string;
  /** What it does, in a sentence or two. */
  readonly summary: string;
  readonly isDangerous?: boolean;
  readonly right: OperatorRight;
  /** TWO: it is proposed, and takes effect once another operator approves it in the console. */
  readonly decidedBy: 'ONE' | 'TWO';
  /** Whether the operator signs a decision with it, as with all that TWO decide. */
  isSigned?(subject: Subject): boolean;
  /** It is good for nothing without Temporal: the console refuses it before a proof is spent, where that is down. */
  readonly needsTemporal?: boolean;
  readonly inputs: Inputs;
  /** Whether it asks why. Unless it says otherwise, it does. */
  readonly isReasonAsked?: boolean;
  /** Who reads the reason, where it is not the audit log alone. */
  readonly reasonHint?: string;
  readonly subject: ActSubject<Subject>;
  /** The path of its form in the console. */
  readonly page: string | NotThere;
  readonly command: ActCommand<Subject> | NotThere;
  /**
   * The act as its second step and the mail of its code name it: what is done, to what, and what tells it from
   * another act. Ids and codes, nothing personal, and no amount.
   */
  words(subject: Subject, values: Partial<ActValues<Inputs>>): string;
  /** Why it cannot be done as the subject stands, or by this operator; null where it can. */
  refusal?(subject: Subject, by: ActBy): ActRefused | null;
  /** The right that the subject asks for beside `right`. */
  rightFor?(subject: Subject): OperatorRight;
  /** Who may do it without that. */
  mayToo?(subject: Subject, operatorId: string): boolean;
  /** What the operator saw of the subject. A form that was opened before it changed is refused. */
  seen?(subject: Subject): Readonly<Record<string, string>>;
  /** What is wrong with the values together, in a sentence; null where nothing is. */
  judge?(values: ActValues<Inputs>): string | null;
  /** What is wrong with the values, which takes a look at the database. */
  check?(
    deps: ActDeps,
    subject: Subject,
    values: ActValues<Inputs>,
  ): Promise<readonly ActProblem[]>;
  /** Does it. May throw ApprovalRefused. */
  run(deps: ActDeps, asked: AskedAct<Subject, Inputs>): Promise<ActOutcome>;
}

/** An entry with its types. */
export const defineAct = <Subject, const Inputs extends ActInputs>(
  entry: ActEntry<Subject, Inputs>,
): ActEntry<Subject, Inputs> => entry;

/** Of acts about nothing that has an id. */
export const NO_SUBJECT: ActSubject<'NONE'> = {
  find: () => Promise.resolve('NONE'),
  missing: () => '',
};

export const refused = (why: string, title = 'The action was refused'): ActRefused => ({
  kind: 'REFUSED',
  title,
  why,
});

/** What proposing came to; `approvalId` null: a proposal about the same thing waits. */
export const proposed = (approvalId: string | null, about: string): ActOutcome =>
  approvalId === null ? { kind: 'WAITS_ALREADY', about } : { kind: 'PROPOSED', approvalId };

export const pageOf = ({ page }: Pick<ActEntry, 'page'>): string | null =>
  typeof page === 'string' ? page : null;

export const commandOf = <Subject>({
  command,
}: Pick<ActEntry<Subject>, 'command'>): ActCommand<Subject> | null =>
  'line' in command ? command : null;

/** Does an act, and maps what its use case throws. */
export async function runAct<Subject, Inputs extends ActInputs>(
  entry: ActEntry<Subject, Inputs>,
  deps: ActDeps,
  asked: AskedAct<Subject, Inputs>,
): Promise<ActOutcome> {
  try {
    return await entry.run(deps, asked);
  } catch (error) {
    if (error instanceof ApprovalRefused) return refused(error.message);
    if (isReleaseBusy(error)) return { kind: 'NO_ANSWER', why: RELEASE_BUSY, isWritten: false };
    if (entry.needsTemporal !== true || !isGrpcServiceError(error)) throw error;
    // It went down since it was asked. What was stored is good for nothing without it.
    return { kind: 'NO_ANSWER', why: TEMPORAL_IS_DOWN, isWritten: false };
  }
}

const RELEASE_BUSY =
  'Nothing was changed. Payments were being released for 15 seconds without a pause. Try again.';
const TEMPORAL_IS_DOWN = 'Nothing was changed. Temporal does not answer. Try again.';

export type { ActInput, ActInputs, ActValues };
