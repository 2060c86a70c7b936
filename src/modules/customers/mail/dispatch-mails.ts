import PQueue from 'p-queue';
import type { Database } from '../../../db/client/database.ts';
import { readForgottenMails } from '../../../db/customers/mail-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { StartedFor, WorkflowClient } from '../../../domain/workflows/workflow-client.ts';
import type { MailStep } from '../../../domain/customers/mail/mail-step.ts';

/** Mails under way at a time, and mails that wait for one of these. */
const RUNNING_MAX = 8;
const WAITING_MAX = 1_000;
/** After a start that Temporal did not take, mails are sent from here for so long without asking it. */
const REST_MS = 5_000;
/** What is due so long was lost on its way. */
const LOST_AFTER_MS = 10_000;
const PAGE = 200;

export interface MailDispatch {
  /** Has a mail sent whose transaction has committed. Answers at once; what is lost here is found later. */
  dispatch(mailId: string, startedFor: StartedFor): void;
  /** Sends what no one has tried for 10 s, where Temporal does not take it: an outage may outlast a process. */
  rescue(): Promise<void>;
  /** Resolves once nothing runs and nothing waits. */
  drained(): Promise<void>;
}

/**
 * Hands mails to their workflows `mail/<id>`. Where Temporal does not take a start within 2 s the mail is
 * sent from here, under its row's lease: people log in while Temporal is down.
 */
export function createMailDispatch(deps: {
  readonly db: Pick<Database, 'system'>;
  readonly clock: Clock;
  readonly workflows: Pick<WorkflowClient, 'startMail'>;
  /** Tries a mail once. */
  readonly send: (mailId: string) => Promise<MailStep>;
  readonly onFailure: (mailId: string, error: unknown) => void;
}): MailDispatch {
  const queue = new PQueue({ concurrency: RUNNING_MAX });
  let restsUntil = 0;

  async function handOn(mailId: string, startedFor: StartedFor): Promise<void> {
    try {
      if (await isTaken(mailId, startedFor)) return;
      await deps.send(mailId);
    } catch (error) {
      deps.onFailure(mailId, error);
    }
  }

  async function isTaken(mailId: string, startedFor: StartedFor): Promise<boolean> {
    const nowMs = () => deps.clock.now().getTime();
    if (nowMs() < restsUntil) return false;
    try {
      await deps.workflows.startMail(mailId, startedFor);
      return true;
    } catch {
      restsUntil = nowMs() + REST_MS;
      return false;
    }
  }

  return {
    dispatch(mailId, startedFor) {
      if (queue.size >= WAITING_MAX) return;
      void queue.add(() => handOn(mailId, startedFor));
    },
    async rescue() {
      // What is still in the queue has its turn first.
      await queue.onIdle();
      const until = new Date(deps.clock.now().getTime() - LOST_AFTER_MS);
      const ids = await deps.db.system((tx) => readForgottenMails(tx, until, '', PAGE));
      await queue.addAll(ids.map((id) => () => handOn(id, 'sweep')));
    },
    drained: () => queue.onIdle(),
  };
}
