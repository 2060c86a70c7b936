import type { Network } from '../../onchain/network.ts';

/** What a look-up of an address comes to. REVIEW: a person should look before anything is paid there. */
export const ADDRESS_VERDICTS = ['CLEAR', 'REVIEW', 'BLOCKED'] as const;
export type AddressVerdict = (typeof ADDRESS_VERDICTS)[number];

/** REGISTRATION: a wallet is made known. RELEASE: money is about to leave for it. DEPOSIT: money came from it. */
export type LookUpReason = 'REGISTRATION' | 'RELEASE' | 'DEPOSIT';

export interface AddressQuestion {
  readonly network: Network;
  /** In EIP-55's mixed case. */
  readonly address: string;
  readonly reason: LookUpReason;
}

export interface AddressFinding {
  readonly verdict: AddressVerdict;
  /** Which list was looked through: 1 to 200 printable characters. */
  readonly listVersion: string;
  /** What of the list it was, 1 to 200 printable characters; left out where the provider names nothing. */
  readonly match?: string;
}

/** Looks an address up in a list of addresses. Throws ScreeningError and nothing else. */
export type AskAddress = (question: AddressQuestion) => Promise<AddressFinding>;
