import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../domain/clock.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { NOT_FOUND, answerJson } from '../sandbox-server.ts';
import type { SandboxReply } from '../sandbox-server.ts';
import type { TimerSet } from '../timer-set.ts';
import type { BankCallbacks } from './bank-callbacks.ts';
import type { Transfer } from './bank-state.ts';
import type { BankJournal } from './bank-journal.ts';
import type { BankTimings } from './bank-timings.ts';
import {
  NO_FLAW,
  REFUSALS_OF_06,
  isRefusedFirst,
  magicBehaviour,
  plainBehaviour,
  returnedMinor,
} from './behaviour.ts';
import type { AnswerFlaw, Behaviour } from './behaviour.ts';
import { faultEffect } from './faults.ts';
import type { FaultQueue } from './faults.ts';
import type { TransferRequest } from './transfer-request.ts';

export interface TransferServiceDeps {
  readonly journal: BankJournal;
  readonly faults: FaultQueue;
  readonly callbacks: BankCallbacks;
  readonly timers: TimerSet;
  readonly clock: Clock;
  /** Do amounts choose the behaviour? */
  readonly magic: boolean;
  readonly timings: BankTimings;
}

export interface TransferService {
  put(reference: string, request: TransferRequest): Promise<SandboxReply>;
  get(reference: string): Promise<SandboxReply>;
  /** Takes up what a stopped process left open: outcomes that are due, callbacks that are owed. */
  resume(): void;
}

const REFUSED = answerJson(503, { error: 'unavailable', message: 'not taken, try again later' });
const UNKNOWN = answerJson(500, { error: 'unknown', message: 'the outcome is not known yet' });
const OTHER_BODY = answerJson(409, {
  error: 'reference_taken',
  message: 'the reference belongs to a transfer with another body',
});

/** Receives transfers, decides them and answers for them. Nothing is answered before it is on disk. */
export function createTransferService(deps: TransferServiceDeps): TransferService {
  const { journal, faults, callbacks, timers, clock, magic, timings } = deps;
  const { state } = journal;
  /** Questions asked about transfers whose truth is held back; a restart counts anew. */
  const asks = new Map<string, number>();
  const now = () => clock.now().toISOString();

  function isHeldBack(transfer: Transfer): boolean {
    const { reference, behaviour } = transfer.received;
    return (asks.get(reference) ?? 0) < behaviour.unknownAsks;
  }

  function mustRefuse(reference: string, request: TransferRequest): boolean {
    if (!magic || !isRefusedFirst(request.amountMinor, request.currency)) return false;
    const refusals = state.factsOf(reference).filter(({ fact }) => fact === 'REFUSED_503');
    return refusals.length < REFUSALS_OF_06;
  }

  async function refuse(reference: string): Promise<SandboxReply> {
    await journal.record({ fact: 'REFUSED_503', at: now(), reference });
    return REFUSED;
  }

  /** Written together and answered after `flush`: a failed write makes that one fail too. */
  function receive(reference: string, request: TransferRequest, behaviour: Behaviour): Transfer {
    const { amountMinor, currency, rail, bodyHash } = request;
    const amount = formatAmount(amountMinor, currency);
    const bankReference = bankReferenceOf(reference);
    record({
      ...{ fact: 'RECEIVED', at: now(), reference, amount, currency },
      ...{ rail, bankReference, bodyHash, behaviour },
    });
    const transfer = state.transfer(reference);
    if (transfer === undefined) throw new Error('the state lacks a transfer that was received');
    const { outcome } = behaviour;
    if (outcome === 'SETTLED' || outcome === 'RETURNED_LATER') execute(transfer);
    if (outcome === 'REJECTED') reject(transfer);
    return transfer;
  }

  function record(fact: Parameters<BankJournal['record']>[0]): void {
    // The answer that tells of the fact waits for `flush`, which fails where this one did.
    journal.record(fact).catch(() => {});
  }

  function execute({ received: { reference, amount, currency } }: Transfer): void {
    record({ fact: 'EXECUTED', at: now(), reference, amount, currency });
  }

  function reject({ received: { reference, behaviour } }: Transfer): void {
    record({ fact: 'REJECTED', at: now(), reference, reason: behaviour.reason ?? 'REJECTED' });
  }

  function giveBack({ received, amountMinor }: Transfer): void {
    const { reference, currency, behaviour } = received;
    const amount = formatAmount(returnedMinor(amountMinor, behaviour), currency);
    const reason = behaviour.reason ?? 'RETURNED';
    record({ fact: 'RETURNED', at: now(), reference, amount, currency, reason });
  }

  /** Sets the timer for the change that is still to come and sends the callbacks of the last one. */
  function pursue(transfer: Transfer): void {
    const change = comingChange(transfer);
    if (change === null) {
      callbacks.dispatch(transfer);
      return;
    }
    const dueAt = Date.parse(transfer.changedAt) + change.afterMs;
    timers.after(dueAt - clock.now().getTime(), async () => {
      change.make(transfer);
      await journal.flush();
      callbacks.dispatch(transfer);
    });
  }

  function comingChange(
    transfer: Transfer,
  ): { afterMs: number; make: (transfer: Transfer) => void } | null {
    const { outcome } = transfer.received.behaviour;
    const { decideAfterMs, returnAfterMs } = timings;
    if (transfer.status === 'ACCEPTED') {
      // Facts of one transfer can be torn apart by a kill: what was to happen at once happens now.
      if (outcome === 'SETTLED' || outcome === 'RETURNED_LATER') {
        return { afterMs: 0, make: execute };
      }
      if (outcome === 'REJECTED') return { afterMs: 0, make: reject };
      if (outcome === 'SETTLED_LATER') return { afterMs: decideAfterMs, make: execute };
      if (outcome === 'REJECTED_LATER') return { afterMs: decideAfterMs, make: reject };
    }
    if (transfer.status === 'SETTLED' && outcome === 'RETURNED_LATER') {
      return { afterMs: returnAfterMs, make: giveBack };
    }
    return null;
  }

  async function answerPut(
    transfer: Transfer,
    status: 200 | 201,
    flaw: AnswerFlaw,
  ): Promise<SandboxReply> {
    await journal.flush();
    if (timings.executeDelayMs > 0) await wait(timings.executeDelayMs);
    const { reference, bankReference, behaviour } = transfer.received;
    if (behaviour.outcome === 'NOTHING') return { kind: 'HANG' };
    if (isHeldBack(transfer)) return { kind: 'DROP' };
    const { answers, reason } = behaviour;
    const shown = answers === 'REJECTED' ? { reason } : {};
    return flawed(
      flaw,
      answerJson(status, { reference, status: answers, bankReference, ...shown }),
    );
  }

  async function settleFirst(transfer: Transfer): Promise<void> {
    await journal.flush();
    await Promise.race([callbacks.deliver(transfer), wait(timings.callbackFirstMaxMs)]);
  }

  return {
    async put(reference, request) {
      const known = state.transfer(reference);
      if (known !== undefined && known.received.bodyHash !== request.bodyHash) return OTHER_BODY;
      const order = faults.take(reference);
      const effect = order === null ? null : faultEffect(order);
      if (effect?.kind === 'SWALLOW') return { kind: 'HANG' };
      if (effect?.kind === 'REFUSE') return refuse(reference);
      if (known !== undefined) return answerPut(known, 200, effect?.flaw ?? NO_FLAW);
      if (effect === null && mustRefuse(reference, request)) return refuse(reference);

      const { amountMinor, currency, rail } = request;
      const behaviour =
        effect?.behaviour ??
        (magic ? magicBehaviour(amountMinor, currency, rail) : plainBehaviour(rail));
      const transfer = receive(reference, request, behaviour);
      if (effect?.flaw.kind === 'CALLBACK_FIRST') await settleFirst(transfer);
      else pursue(transfer);
      return answerPut(transfer, 201, effect?.flaw ?? NO_FLAW);
    },

    async get(reference) {
      const transfer = state.transfer(reference);
      if (transfer === undefined) return NOT_FOUND;
      await journal.flush();
      if (transfer.received.behaviour.outcome === 'NOTHING') return { kind: 'HANG' };
      if (isHeldBack(transfer)) {
        asks.set(reference, (asks.get(reference) ?? 0) + 1);
        return UNKNOWN;
      }
      const { status, reason, settledAt, returnedLess: amount } = transfer;
      const { bankReference } = transfer.received;
      return answerJson(200, { reference, status, bankReference, reason, settledAt, amount });
    },

    resume() {
      for (const transfer of state.transfers()) pursue(transfer);
    },
  };
}

/** The same at every try, and unlike any other bank's: what a real one would print on a statement. */
function bankReferenceOf(reference: string): string {
  return `SB${createHash('sha256').update(reference).digest('hex').slice(0, 18).toUpperCase()}`;
}

async function flawed(flaw: AnswerFlaw, answer: SandboxReply): Promise<SandboxReply> {
  switch (flaw.kind) {
    case 'NONE':
    case 'CALLBACK_FIRST':
      return answer;
    case 'WAIT':
      await wait(flaw.ms);
      return answer;
    case 'ERROR_500':
      return answerJson(500, { error: 'internal_error', message: 'the sandbox was told to fail' });
    case 'GARBAGE':
      return { kind: 'TEXT', status: 200, contentType: 'text/html', chunks: ['<html>{"status":'] };
    case 'DROP':
    case 'HANG':
      return { kind: flaw.kind };
  }
}
