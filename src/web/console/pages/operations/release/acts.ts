import {
  BEGIN_RESTORE,
  END_RESTORE,
  filterText,
  RESUME_RELEASE,
  STOP_RELEASE,
} from '../../../../../modules/operations/acts/release-acts.ts';
import { actPage, type ActPage } from '../../../acts/act-page.tsx';

const viewOf = (here: string) => ({
  current: '/release',
  trail: () => ({ href: '/release', text: 'Release', here }),
});

export const RELEASE_ACT_PAGES: readonly ActPage[] = [
  actPage(STOP_RELEASE, viewOf('stop')),
  actPage(RESUME_RELEASE, {
    current: '/release',
    trail: (stop) => ({ href: '/release', text: 'Release', here: filterText(stop) }),
  }),
  actPage(BEGIN_RESTORE, viewOf('restore mode')),
  actPage(END_RESTORE, viewOf('restore mode')),
];
