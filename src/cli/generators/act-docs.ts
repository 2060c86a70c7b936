import { renderActsPage } from '../../modules/operations/acts/acts-page.ts';
import { keepPage } from './pages/keep-page.ts';

keepPage({
  page: 'operator-acts.md',
  render: renderActsPage,
  source: 'the table of acts',
  script: 'act-docs',
});
