import type { Clock } from '../../domain/clock.ts';
import {
  ARMED_FAULTS_MAX,
  BANK_FAULTS,
  FAULT_COUNT_MAX,
  FAULT_LIFE_MS,
  type ArmedFault,
  type BankFault,
  type FaultOrder,
} from '../../domain/sandbox/bank-faults.ts';
import { answerJson, BadInput, type SandboxReply } from '../sandbox-server.ts';
import type { BankJournal } from './bank-journal.ts';
import { isWaiting, type KeptFault } from './bank-state.ts';
import { ORDERED_BY } from './transfer-request.ts';

/** Faults that wait for the next transfers of a customer, whatever their cents. Kept in the journal. */
export interface ArmedFaults {
  /** Arms one, once: again under the same id it answers how it stands, for another order 409. */
  arm(order: FaultOrder): Promise<SandboxReply>;
  /** A customer's that still wait, oldest first. */
  list(onBehalfOf: string): Promise<SandboxReply>;
  /**
   * The fault that a transfer meets: what its reference has met before, else the oldest that waits for its customer,
   * used up by one. Its fact is on disk after the journal's next flush.
   */
  take(reference: string, onBehalfOf: string | null): BankFault | null;
}

const TAKEN = { error: 'id_taken', message: 'The ID belongs to another order of faults.' };
const TOO_MANY = { error: 'too_many', message: 'The maximum number of faults is already waiting.' };

export function createArmedFaults(journal: BankJournal, clock: Clock): ArmedFaults {
  const { state } = journal;
  const now = () => clock.now().toISOString();

  return {
    async arm({ id, onBehalfOf, fault, count }) {
      const known = state.armedFault(id);
      if (known !== undefined) {
        await journal.flush();
        const { armed } = known;
        const isSame =
          armed.onBehalfOf === onBehalfOf && armed.what === fault && armed.count === count;
        return isSame ? answerJson(200, show(known)) : answerJson(409, TAKEN);
      }
      const at = now();
      const waiting = state.armedFaults(onBehalfOf).filter((one) => isWaiting(one, at));
      if (waiting.length >= ARMED_FAULTS_MAX) return answerJson(422, TOO_MANY);
      const endsAt = new Date(Date.parse(at) + FAULT_LIFE_MS).toISOString();
      const armed = { id, onBehalfOf, what: fault, count, endsAt };
      await journal.record({ fact: 'FAULT_ARMED', at, ...armed });
      const kept = state.armedFault(id);
      if (kept === undefined) throw new Error('the state lacks a fault that was armed');
      return answerJson(201, show(kept));
    },

    async list(onBehalfOf) {
      await journal.flush();
      const at = now();
      const waiting = state.armedFaults(onBehalfOf).filter((one) => isWaiting(one, at));
      return answerJson(200, { data: waiting.map(show) });
    },

    take(reference, onBehalfOf) {
      const before = state.factsOf(reference);
      const met = before.find((fact) => fact.fact === 'FAULT_MET');
      if (met !== undefined) return met.what;
      // One that came before, and was refused by its cents, is no new transfer.
      if (onBehalfOf === null || before.length > 0) return null;
      const at = now();
      const found = state.armedFaults(onBehalfOf).find((one) => isWaiting(one, at));
      if (found === undefined) return null;
      const { id: armed, what } = found.armed;
      // The answer to the transfer waits for `flush`, which fails where this one did.
      journal.record({ fact: 'FAULT_MET', at, reference, armed, what }).catch(() => {});
      return what;
    },
  };
}

function show({ armed, met }: KeptFault): ArmedFault {
  const { what: fault, count, at: armedAt, endsAt } = armed;
  return { fault, count, left: count - met, armedAt, endsAt };
}

/** Reads the body of `PUT /armed-faults/{id}`. Throws BadInput that names the field. */
export function readArming(id: string, body: unknown): FaultOrder {
  if (!/^[A-Za-z0-9_-]{1,60}$/.test(id))
    throw new BadInput(400, 'id', 'must be [A-Za-z0-9_-]{1,60}');
  const { onBehalfOf, fault, count } = (body ?? {}) as Record<string, unknown>;
  if (typeof onBehalfOf !== 'string' || !ORDERED_BY.test(onBehalfOf)) {
    throw new BadInput(400, 'onBehalfOf', `must be a text like ${ORDERED_BY.source}`);
  }
  const known = BANK_FAULTS.find((name) => name === fault);
  if (known === undefined) throw new BadInput(400, 'fault', `one of ${BANK_FAULTS.join(', ')}`);
  if (
    typeof count !== 'number' ||
    !Number.isInteger(count) ||
    count < 1 ||
    count > FAULT_COUNT_MAX
  ) {
    throw new BadInput(400, 'count', `1 to ${String(FAULT_COUNT_MAX)}`);
  }
  return { id, onBehalfOf, fault: known, count };
}
