import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import {
  cruise,
  type ICruiseOptions,
  type ICruiseResult,
  type IForbiddenRuleType,
} from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const config = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
  forbidden: (IForbiddenRuleType & { name: string })[];
  options: ICruiseOptions;
};

/** A file of one folder of src/ that imports one of another. */
function breachOf(from: string, to: string): Record<string, string> {
  const up = '../'.repeat(from.split('/').length);
  return {
    [`src/${from}/a.ts`]: `import { x } from '${up}${to}/x.ts';\nconsole.log(x);\n`,
    [`src/${to}/x.ts`]: `export const x = 1;\n`,
  };
}

/** Rule by rule: a file that breaks it, and what it says. */
const broken: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no-circular': {
    'src/domain/a.ts': `import { b } from './b.ts';\nexport const a = () => b;\n`,
    'src/domain/b.ts': `import { a } from './a.ts';\nexport const b = () => a;\n`,
  },
  'programs-are-not-imported': {
    'src/server/processes/api.ts': `export const x = 1;\n`,
    'src/cli/dev/a.ts': `import { x } from '../../server/processes/api.ts';\nconsole.log(x);\n`,
  },
  'nothing-unresolved': { 'src/db/a.ts': `import { x } from './missing.ts';\nconsole.log(x);\n` },
  'no-undeclared-package': { 'src/db/a.ts': `import x from 'avvio';\nconsole.log(x);\n` },
  'production-imports-no-dev-dependency': {
    'src/db/a.ts': `import x from 'yaml';\nconsole.log(x);\n`,
  },
  'production-imports-no-tests': {
    'src/db/a.ts': `import { x } from '../../test/support/x.ts';\nconsole.log(x);\n`,
    'test/support/x.ts': `export const x = 1;\n`,
  },
  'no-orphans': { 'src/domain/a.ts': `export const x = 1;\n` },
  'every-file-has-a-room': {
    'src/modules/gadgets/a.ts': `import fs from 'node:fs';\nconsole.log(fs);\n`,
  },
  'domain-does-no-io': { 'src/domain/a.ts': `import fs from 'node:fs';\nconsole.log(fs);\n` },
  'room-domain': { 'src/domain/a.ts': `import pg from 'pg';\nconsole.log(pg);\n` },
  'room-vault': breachOf('vault', 'db'),
  'room-db': breachOf('db', 'vault'),
  'room-adapters': breachOf('adapters', 'db'),
  'room-sandbox': breachOf('sandbox', 'db'),
  'room-modules': breachOf('modules/payments', 'adapters'),
  'room-web': breachOf('web/console', 'adapters'),
  'room-api': breachOf('api', 'web/dashboard'),
  'room-server': breachOf('server/runtime', 'cli/ops'),
  'room-cli': {
    'src/cli/ops/a.ts': `import { x } from '../../../test/support/x.ts';\nconsole.log(x);\n`,
    'test/support/x.ts': `export const x = 1;\n`,
  },
  'module-approvals': breachOf('modules/approvals', 'modules/idempotency'),
  'module-idempotency': breachOf('modules/idempotency', 'modules/ledger'),
  'module-ledger': breachOf('modules/ledger', 'modules/payments'),
  'module-parties': breachOf('modules/parties', 'modules/onchain'),
  'module-payments': breachOf('modules/payments', 'modules/customers'),
  'module-customers': breachOf('modules/customers', 'modules/payments'),
  'module-onchain': breachOf('modules/onchain', 'modules/operations'),
  'module-reconciliation': breachOf('modules/reconciliation', 'modules/onchain'),
  'module-webhooks': breachOf('modules/webhooks', 'modules/reconciliation'),
  'module-operations': breachOf('modules/operations', 'modules/gadgets'),
  'workflows-import-little': { 'workflows/a.ts': `import fs from 'node:fs';\nconsole.log(fs);\n` },
  'workflows-take-only-types-from-activities': {
    'workflows/a.ts': `import { x } from '../activities/types.ts';\nconsole.log(x);\n`,
    'activities/types.ts': `export const x = 1;\n`,
  },
  'activities-import-modules-and-below': {
    'activities/a.ts': `import { x } from '../workflows/index.ts';\nconsole.log(x);\n`,
    'workflows/index.ts': `export const x = 1;\n`,
  },
  'activity-types-are-only-types': {
    'activities/types.ts': `import { x } from '../src/domain/x.ts';\nexport const y = x;\n`,
    'src/domain/x.ts': `export const x = 1;\n`,
  },
  'web-kit-knows-no-page': breachOf('web/kit', 'web/dashboard'),
  'web-dashboard-knows-no-other-surface': breachOf('web/dashboard', 'web/console'),
  'web-console-knows-no-other-surface': breachOf('web/console', 'web/dashboard'),
  'web-login-knows-no-other-surface': breachOf('web/login', 'web/dashboard'),
  'web-docs-knows-no-other-surface': breachOf('web/docs', 'db'),
  'client-stands-alone': breachOf('api/client', 'domain'),
  'config-stands-alone': breachOf('server/config', 'db'),
  'verify-imports-domain-and-db': breachOf('cli/verify', 'modules/payments'),
  'smoke-speaks-to-the-api': breachOf('cli/smoke', 'domain'),
  'listen-speaks-to-the-api': breachOf('cli/listen', 'db'),
  'embedded-stands-alone': breachOf('cli/embedded', 'domain'),
  'only-workers-reach-signers': breachOf('server/runtime', 'modules/onchain/signers'),
  'what-faces-partners-reaches-no-signer': {
    'src/server/runtime/start-api.ts': `import { x } from './b.ts';\nconsole.log(x);\n`,
    'src/server/runtime/b.ts': `export { x } from './open-signers.ts';\n`,
    'src/server/runtime/open-signers.ts': `export const x = 1;\n`,
  },
};

async function brokenRules(files: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'import-rules-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    symlinkSync(join(root, 'package.json'), join(folder, 'package.json'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const options: ICruiseOptions = {
      ...config.options,
      baseDir: folder,
      validate: true,
      ruleSet: { forbidden: config.forbidden },
    };
    const roots = [...new Set(Object.keys(files).map((path) => path.split('/')[0] ?? ''))];
    const { output } = await cruise(roots, options);
    return (output as ICruiseResult).summary.violations.map((violation) => violation.rule.name);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the table of who may import whom', () => {
  // dependency-cruiser reads tsConfig and package.json from the folder that it runs in.
  const before = process.cwd();
  beforeAll(() => process.chdir(root));
  afterAll(() => process.chdir(before));

  it.each(Object.keys(broken))('%s turns red when it is broken', async (rule) => {
    expect(await brokenRules(broken[rule] ?? {})).toContain(rule);
  });

  it('has a planted breach for every rule', () => {
    expect(Object.keys(broken).sort()).toEqual(config.forbidden.map((rule) => rule.name).sort());
  });
});
