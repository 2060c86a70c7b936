import { ID_PREFIXES, isId } from '../../../domain/ids.ts';
import type { ActBy, ActCommand } from './operator-act.ts';

export const isWalletReview = (id: string): boolean => isId(ID_PREFIXES.walletReview, id);
export const isDeposit = (id: string): boolean => isId(ID_PREFIXES.deposit, id);
export const isScreeningCase = (id: string): boolean => !isWalletReview(id) && !isDeposit(id);

/** One command is about cases of every kind: the id tells which. */
export const caseCommand = (line: string, takes?: (id: string) => boolean): ActCommand<never> => ({
  line,
  id: {
    option: '--case <id>',
    help: 'scr_..., wrv_..., or dep_..., from `screening list`',
    takes,
  },
});

export const BY_REVIEWERS = { right: 'decide-reviews', inputs: {} } as const;
export const DECIDED = 'Already decided';

/** Whether a case that was refused before may be refused once more. */
export const isRepeat = (outcome: string | null, { mayRepeat }: ActBy): boolean =>
  mayRepeat && outcome === 'REFUSED';
