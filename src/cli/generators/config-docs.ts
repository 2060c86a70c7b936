import { renderSettingsPage } from '../../server/config/settings-page.ts';
import { keepPage } from './pages/keep-page.ts';

keepPage({
  page: 'configuration.md',
  render: renderSettingsPage,
  source: 'the settings',
  script: 'config-docs',
});
