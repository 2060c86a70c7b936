import type {
  ScreeningHit,
  ScreeningSubject,
} from '../../../domain/parties/screening/screening-provider.ts';

/** What operators need to decide a case: one JSON, sealed. */
export interface CasePersonal {
  readonly subjects: readonly ScreeningSubject[];
  readonly hits: readonly ScreeningHit[];
}

/** The row that a case's personal data is sealed for. */
export const screeningCaseRow = (id: string): string => `screening_cases/${id}`;
