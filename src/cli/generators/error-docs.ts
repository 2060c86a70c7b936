import { renderErrorsReference } from '../../web/docs/errors-reference.ts';
import { keepPage } from './pages/keep-page.ts';

keepPage({
  page: 'errors.md',
  render: renderErrorsReference,
  source: 'the registry',
  script: 'error-docs',
});
