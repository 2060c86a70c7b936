import { renderFailuresPage } from '../../domain/payments/failures/failures-page.ts';
import { keepPage } from './pages/keep-page.ts';

keepPage({
  page: 'failures.md',
  render: renderFailuresPage,
  source: 'the catalogue',
  script: 'failure-docs',
});
