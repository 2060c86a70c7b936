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

/** Rule by rule: a file that breaks it, and what it says. */
const broken: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'no-circular': {
    'src/domain/a.ts': `import { b } from './b.ts';\nexport const a = () => b;\n`,
    'src/domain/b.ts': `import { a } from './a.ts';\nexport const b = () => a;\n`,
  },
  'programs-are-not-imported': {
    'src/main/api.ts': `export const x = 1;\n`,
    'src/main/dev.ts': `import { x } from './api.ts';\nconsole.log(x);\n`,
  },
  'nothing-unresolved': { 'src/db/a.ts': `import { x } from './missing.ts';\nconsole.log(x);\n` },
  'no-undeclared-package': { 'src/db/a.ts': `import x from 'esbuild';\nconsole.log(x);\n` },
  'production-imports-no-dev-dependency': {
    'src/db/a.ts': `import x from 'yaml';\nconsole.log(x);\n`,
  },
  'production-imports-no-tests': {
    'src/db/a.ts': `import { x } from '../../test/support/x.ts';\nconsole.log(x);\n`,
    'test/support/x.ts': `export const x = 1;\n`,
  },
  'no-orphans': { 'src/domain/a.ts': `export const x = 1;\n` },
  'every-folder-has-a-rule': {
    'src/gadgets/a.ts': `import fs from 'node:fs';\nconsole.log(fs);\n`,
  },
  'domain-is-pure': { 'src/domain/a.ts': `import pg from 'pg';\nconsole.log(pg);\n` },
  'domain-does-no-io': { 'src/domain/a.ts': `import fs from 'node:fs';\nconsole.log(fs);\n` },
  'workflows-import-little': { 'workflows/a.ts': `import fs from 'node:fs';\nconsole.log(fs);\n` },
  'workflows-take-only-types-from-activities': {
    'workflows/a.ts': `import { x } from '../activities/types.ts';\nconsole.log(x);\n`,
    'activities/types.ts': `export const x = 1;\n`,
  },
  'activities-import-neither-routes-nor-workflows': {
    'activities/a.ts': `import { x } from '../workflows/index.ts';\nconsole.log(x);\n`,
    'workflows/index.ts': `export const x = 1;\n`,
  },
  'activity-types-are-only-types': {
    'activities/types.ts': `import { x } from '../src/domain/x.ts';\nexport const y = x;\n`,
    'src/domain/x.ts': `export const x = 1;\n`,
  },
  'ledger-imports-domain-and-db': {
    'src/ledger/a.ts': `import { x } from '../payments/x.ts';\nconsole.log(x);\n`,
    'src/payments/x.ts': `export const x = 1;\n`,
  },
  'routes-import-no-connector': {
    'src/http/a.ts': `import { x } from '../connectors/connector.ts';\nconsole.log(x);\n`,
    'src/connectors/connector.ts': `export const x = 1;\n`,
  },
  'http-imports-no-dashboard': {
    'src/http/a.ts': `import { x } from '../dashboard/x.ts';\nconsole.log(x);\n`,
    'src/dashboard/x.ts': `export const x = 1;\n`,
  },
  'web-knows-no-page': breachOf('web', 'dashboard'),
  'access-pages-serve-both-surfaces': breachOf('access-pages', 'dashboard'),
  'dashboard-knows-not-the-other': breachOf('dashboard', 'console'),
  'console-knows-not-the-other': breachOf('console', 'dashboard'),
  'only-workers-reach-signers': {
    'src/runtime/a.ts': `import { x } from '../chain/signers/x.ts';\nconsole.log(x);\n`,
    'src/chain/signers/x.ts': `export const x = 1;\n`,
  },
  'what-faces-partners-reaches-no-signer': {
    'src/runtime/start-api.ts': `import { x } from './b.ts';\nconsole.log(x);\n`,
    'src/runtime/b.ts': `export { x } from './open-signers.ts';\n`,
    'src/runtime/open-signers.ts': `export const x = 1;\n`,
  },
  'only-programs-import-runtime-and-ops': breachOf('http', 'runtime'),
  'vault-stands-alone': breachOf('vault', 'domain'),
  'embedded-stands-alone': {
    'src/local/embedded/a.ts': `import { x } from '../../domain/x.ts';\nconsole.log(x);\n`,
    'src/domain/x.ts': `export const x = 1;\n`,
  },
  'listen-speaks-to-the-api': {
    'src/local/listen/a.ts': `import { x } from '../../db/x.ts';\nconsole.log(x);\n`,
    'src/db/x.ts': `export const x = 1;\n`,
  },
  'production-imports-no-local-run': breachOf('runtime', 'local'),
  'config-stands-alone': breachOf('config', 'db'),
  'client-imports-signature-only': breachOf('client', 'domain'),
  'client-types-stand-alone': breachOf('client-types', 'client'),
  'verify-imports-domain-and-db': breachOf('verify', 'payments'),
  'temporal-imports-domain-and-names': breachOf('temporal', 'db'),
  'sandbox-imports-domain-only': breachOf('sandbox', 'db'),
  'smoke-speaks-to-the-api': breachOf('smoke', 'domain'),
  'db-imports-domain-only': breachOf('db', 'config'),
  'iso20022-imports-domain-only': breachOf('iso20022', 'db'),
  'connectors-import-domain-and-formats': breachOf('connectors', 'db'),
  'providers-imports-domain-only': breachOf('providers', 'connectors'),
  'webhooks-is-a-use-case': breachOf('webhooks', 'http'),
  'signature-stands-alone': {
    'src/webhooks/signature.ts': `import { x } from '../db/x.ts';\nconsole.log(x);\n`,
    'src/db/x.ts': `export const x = 1;\n`,
  },
  'docs-site-knows-the-document-alone': breachOf('docs-site', 'db'),
  'payments-is-a-use-case': breachOf('payments', 'connectors'),
  'kyc-is-a-use-case': breachOf('kyc', 'http'),
  'end-users-is-a-use-case': breachOf('end-users', 'http'),
  'bank-accounts-is-a-use-case': breachOf('bank-accounts', 'providers'),
  'statements-is-a-use-case': breachOf('statements', 'connectors'),
  'customers-is-a-use-case': breachOf('customers', 'http'),
  'reconciliation-is-a-use-case': breachOf('reconciliation', 'connectors'),
  'idempotency-is-a-use-case': breachOf('idempotency', 'http'),
  'approvals-is-a-use-case': breachOf('approvals', 'http'),
  'quotes-is-a-use-case': breachOf('quotes', 'http'),
  'payment-batches-is-a-use-case': breachOf('payment-batches', 'http'),
  'funding-is-a-use-case': breachOf('funding', 'http'),
  'balances-is-a-use-case': breachOf('balances', 'http'),
  'screening-is-a-use-case': breachOf('screening', 'http'),
  'mail-is-a-use-case': breachOf('mail', 'providers'),
  'access-is-a-use-case': breachOf('access', 'http'),
  'chain-is-a-use-case': breachOf('chain', 'http'),
  'wallets-is-a-use-case': breachOf('wallets', 'http'),
  'deposit-addresses-is-a-use-case': breachOf('deposit-addresses', 'http'),
  'deposits-is-a-use-case': breachOf('deposits', 'http'),
};

function breachOf(from: string, to: string): Record<string, string> {
  return {
    [`src/${from}/a.ts`]: `import { x } from '../${to}/x.ts';\nconsole.log(x);\n`,
    [`src/${to}/x.ts`]: `export const x = 1;\n`,
  };
}

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
