import type {
  AddressVerdict,
  LookUpReason,
} from '../../../domain/parties/screening/address-screening.ts';
import type { WalletStatus } from '../../../db/parties/wallet-store.ts';
import type { WordsAndCode } from './bank-answer-words.ts';

const VERDICTS: Readonly<Record<AddressVerdict, string>> = {
  CLEAR: 'Nothing was found',
  REVIEW: 'A person should look at the address',
  BLOCKED: 'The address is on a list',
};

/** What a look-up of an address found. */
export const verdictWords = (verdict: AddressVerdict): WordsAndCode => ({
  ...{ words: VERDICTS[verdict], code: verdict },
});

/** When an address was looked up. */
export const LOOK_UP_WORDS: Readonly<Record<LookUpReason, string>> = {
  REGISTRATION: 'when the wallet was registered',
  RELEASE: 'before a payment left',
  DEPOSIT: 'when a deposit arrived',
};

export const WALLET_STATUS_WORDS: Readonly<Record<WalletStatus, string>> = {
  PENDING: 'Not cleared yet',
  ACTIVE: 'Active',
  REJECTED: 'Rejected',
  DISABLED: 'Disabled',
};

const OUTCOMES: Readonly<Record<string, string>> = {
  RELEASED: 'Released',
  REFUSED: 'Refused',
  SUPERSEDED: 'Superseded by a newer finding',
  EXPIRED: 'Expired',
};

/** What was decided of a review, as its chip shows it. */
export const outcomeWords = (outcome: string): string => OUTCOMES[outcome] ?? outcome;
