import type { Clock } from '../../domain/clock.ts';
import { formatAmount, parseAmount } from '../../domain/money/amount.ts';
import { isCurrency } from '../../domain/money/currencies.ts';
import { answerJson, BadInput, NOT_FOUND, type SandboxReply } from '../sandbox-server.ts';
import type { BankJournal } from './bank-journal.ts';

/** A payer pays into our account. */
interface DepositRequest {
  readonly currency: string;
  /** Decimal text with exactly the currency's decimals. */
  readonly amount: string;
  readonly remittance: string;
}

export interface DepositService {
  /** Books a deposit once: again under the same id it answers the same, with another body 409. */
  put(id: string, request: DepositRequest): Promise<SandboxReply>;
  /** Takes a deposit back, once: the payer's bank wants it. */
  reverse(id: string): Promise<SandboxReply>;
}

const TAKEN = { error: 'deposit_taken', message: 'The ID belongs to a deposit with another body.' };
const FIELDS = ['currency', 'amount', 'remittance'];

/** Chosen by the caller that tells the bank of a deposit. */
export function isDepositId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,60}$/.test(text);
}

/** Money that comes in. It shows on the next statement of its currency. */
export function createDepositService(journal: BankJournal, clock: Clock): DepositService {
  const { state } = journal;
  const now = () => clock.now().toISOString();

  return {
    async put(id, request) {
      const known = state.deposit(id);
      if (known !== undefined) {
        await journal.flush();
        const { amount, currency, remittance } = known.deposited;
        const isSame =
          amount === request.amount &&
          currency === request.currency &&
          remittance === request.remittance;
        return isSame ? answerJson(200, { deposit: id, status: 'BOOKED' }) : answerJson(409, TAKEN);
      }
      const bankReference = `SD${id.replace(/[^A-Za-z0-9]/g, '').toUpperCase()}`.slice(0, 35);
      await journal.record({
        fact: 'DEPOSITED',
        at: now(),
        deposit: id,
        bankReference,
        ...request,
      });
      return answerJson(201, { deposit: id, status: 'BOOKED' });
    },

    async reverse(id) {
      const known = state.deposit(id);
      if (known === undefined) return NOT_FOUND;
      if (!known.isReversed) {
        await journal.record({ fact: 'DEPOSIT_REVERSED', at: now(), deposit: id });
      } else await journal.flush();
      return answerJson(200, { deposit: id, status: 'REVERSED' });
    },
  };
}

/** Reads the body of `PUT /deposits/{id}`. Throws BadInput that names the field. */
export function readDepositRequest(body: unknown): DepositRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new BadInput(400, 'body', 'must be an object');
  }
  const fields = body as Record<string, unknown>;
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) throw new BadInput(400, unknown.slice(0, 40), 'not a known field');
  const { currency, amount, remittance = '' } = fields;
  if (typeof currency !== 'string' || !isCurrency(currency)) {
    throw new BadInput(422, 'currency', 'not an ISO 4217 currency');
  }
  const parsed = typeof amount === 'string' ? parseAmount(amount, currency) : null;
  if (parsed?.ok !== true) throw new BadInput(422, 'amount', 'not acceptable');
  if (typeof remittance !== 'string' || !/^.{0,140}$/su.test(remittance)) {
    throw new BadInput(400, 'remittance', 'must be a text of at most 140 characters');
  }
  return { currency, amount: formatAmount(parsed.minor, currency), remittance };
}
