import {
  findScreeningCase,
  type ScreeningCaseRow,
} from '../../../db/parties/screening-case-store.ts';
import { lookAtCase } from '../../parties/screening/look-at-case.ts';
import { refuseCase } from '../../parties/screening/refuse-case.ts';
import { proposeRelease } from '../../parties/screening/release-case.ts';
import { wakeCase } from '../../parties/screening/wake-case.ts';
import { defineAct, proposed, refused, type ActRefused, type ActSubject } from './operator-act.ts';
import {
  BY_REVIEWERS,
  caseCommand,
  DECIDED,
  isRepeat,
  isScreeningCase,
} from './review-act-parts.ts';

const CASE: ActSubject<ScreeningCaseRow> = {
  find: ({ db }, id) => db.system((tx) => findScreeningCase(tx, id)),
  missing: (id) => `There is no screening case ${id}.`,
};
const caseDecided = ({ id }: ScreeningCaseRow, outcome: string): ActRefused =>
  refused(`Case ${id} was already decided: ${outcome}.`, DECIDED);

export const REFUSE_CASE = defineAct({
  name: 'screening.refuse',
  ...{ title: 'Refuse a party', submit: 'Refuse', isDangerous: true },
  summary: 'Refuses a party that is the listed one. Its payments fail.',
  ...{ ...BY_REVIEWERS, decidedBy: 'ONE', subject: CASE },
  page: '/reviews/:id/refuse',
  command: caseCommand('screening refuse', isScreeningCase),
  words: ({ id }) => `Refuse the party of case ${id}`,
  refusal: (row, by) =>
    row.outcome === null || isRepeat(row.outcome, by) ? null : caseDecided(row, row.outcome),
  async run(deps, { subject, act }) {
    // If the case was refused before, its payments are woken again.
    if (subject.outcome === null && !(await refuseCase(deps, subject, act))) {
      return refused(`Another operator decided case ${subject.id}.`, DECIDED);
    }
    return {
      kind: 'DONE',
      text: `Refused: ${subject.id}. Payments that have not left fail.`,
      after: () => wakeCase(deps, subject),
    };
  },
});

export const RELEASE_CASE = defineAct({
  name: 'screening.release',
  ...{ title: 'Propose to release a hit', submit: 'Propose' },
  summary: 'Releases a hit that is not the listed party. Payments that it held continue.',
  ...{ ...BY_REVIEWERS, decidedBy: 'TWO', subject: CASE },
  page: '/reviews/:id/release',
  command: caseCommand('screening release', isScreeningCase),
  words: ({ id }) => `Propose to release the hit of case ${id}`,
  refusal: (row) => (row.outcome === null ? null : caseDecided(row, row.outcome)),
  run: async (deps, { subject, act }) =>
    proposed(await proposeRelease(deps, subject, act), subject.id),
});

export const SHOW_CASE = defineAct({
  name: 'screening.show',
  ...{ title: 'Show the names of a case', submit: 'Show' },
  summary: 'Shows the names of a case. The audit log records who viewed them and why.',
  ...{ right: 'unmask-personal-data', inputs: {}, decidedBy: 'ONE', subject: CASE },
  page: '/reviews/:id/names',
  command: caseCommand('screening show', isScreeningCase),
  words: ({ id }) => `Show the names of case ${id}`,
  run: async (deps, { subject, act }) => ({
    kind: 'SHOWN',
    shown: await lookAtCase(deps, subject, act),
  }),
});

export const SCREENING_ACTS = [REFUSE_CASE, RELEASE_CASE, SHOW_CASE] as const;
