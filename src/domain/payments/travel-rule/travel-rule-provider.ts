import type { Ivms101, NamedVasp } from './ivms101.ts';

/** What is announced to the VASP that keeps a wallet. Personal: sealed wherever it is kept. */
export interface TravelTransfer {
  readonly asset: string;
  readonly network: string;
  /** Decimal. */
  readonly amount: string;
  readonly address: string;
  readonly vasp: NamedVasp | null;
  readonly ivms101: Ivms101;
}

/** What a VASP says of a transfer. */
export type VaspAnswer = 'PENDING' | 'ACCEPTED' | 'REJECTED';

/** Why the provider gave no usable answer: codes alone, for logs. */
export type TravelRuleFailure =
  'TRAVEL_RULE_UNREACHABLE' | 'TRAVEL_RULE_FAILED' | 'TRAVEL_RULE_REFUSED' | 'TRAVEL_RULE_GARBLED';

/** The provider did not answer as agreed: what waits for it goes on waiting. */
export class TravelRuleError extends Error {
  override readonly name = 'TravelRuleError';
  readonly code: TravelRuleFailure;

  constructor(code: TravelRuleFailure) {
    super(code);
    this.code = code;
  }
}

/** Carries records to VASPs and their answers back. Throws TravelRuleError and nothing else. */
export interface TravelRuleProvider {
  /** Announces a transfer. The same id again is the same transfer, whatever became of the first call. */
  announce(transferId: string, transfer: TravelTransfer): Promise<VaspAnswer>;
  /** What the VASP says by now; null where the provider does not know the transfer. */
  ask(transferId: string): Promise<VaspAnswer | null>;
}
