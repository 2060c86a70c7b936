import type { AccountField } from './account-field.ts';
import type { DetailProblem } from './detail-problem.ts';

/** What the fields of an account depend on besides its rail. */
export interface AccountPlace {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly holderType: 'INDIVIDUAL' | 'BUSINESS';
}

/** What the accounts of one rail in one country consist of. */
export interface RailRules {
  /** In canonical order. */
  readonly fields: Readonly<Record<string, AccountField>>;
  /** The field that names the account: `last4` is its end. The first that is there. */
  readonly accountFields: readonly string[];
  /** Of these fields, optional each by itself, an account has exactly one. */
  readonly oneOf?: readonly string[];
  /** The rail carries the holder's address, so an account without one cannot be paid. */
  readonly needsAddress?: boolean;
  /** What only several fields together show. Asked when each is right by itself. */
  readonly check?: (normalised: Readonly<Record<string, string>>) => DetailProblem[];
  /** Replaces the canonical details by others that mean the same: a number with its prefix. */
  readonly complete?: (normalised: Readonly<Record<string, string>>) => Record<string, string>;
}

/** The rules of one rail. Pure: equal places give equal rules. */
export type RulesOfRail = (place: AccountPlace) => RailRules;
