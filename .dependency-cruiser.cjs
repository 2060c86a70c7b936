/**
 * Who may import whom. Paths are regular expressions from the root of the repository. The rooms of
 * src/ that are listed nowhere as a source may import nothing but themselves: see `every-folder-has-a-rule`.
 */

/** Node's own modules and packages, as dependency-cruiser resolves them. */
const npm = (...names) => names.map((name) => `node_modules/${name}(/|$)`);
const room = (...names) => names.map((name) => `^src/${name}/`);

const CORE = ['src/domain', 'src/db', 'src/ledger', 'src/vault'];
const USE_CASES = [
  ...['payments', 'kyc', 'end-users', 'bank-accounts', 'webhooks', 'statements'],
  'payment-batches',
  ...['customers', 'reconciliation', 'idempotency', 'approvals', 'quotes', 'screening', 'balances'],
  ...['funding', 'mail', 'access', 'chain', 'wallets', 'deposits', 'deposit-addresses'],
];

/** A room that may import only what is listed, itself included. */
function onlyImports(name, from, allowed, comment, extra = {}) {
  return {
    name,
    severity: 'error',
    comment,
    from: { path: from, ...extra },
    to: { pathNot: allowed, dependencyTypesNot: ['core'] },
  };
}

const ANY_PACKAGE = 'node_modules/';

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'Two files that import each other are one file, or lack a third.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'programs-are-not-imported',
      severity: 'error',
      comment: 'A composition root wires the rest together; whatever it shares belongs elsewhere.',
      from: {},
      to: { path: '^src/main/' },
    },
    {
      name: 'nothing-unresolved',
      severity: 'error',
      comment: 'A path that does not resolve is a typo, or a package that is not installed.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-package',
      severity: 'error',
      comment: 'A package that package.json does not name disappears with the one that brought it.',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'production-imports-no-dev-dependency',
      severity: 'error',
      comment: 'The image is built without development dependencies.',
      // Compiles the contracts, from the sources of the repository.
      from: { path: '^(src|workflows|activities)/', pathNot: '^src/main/contracts\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'production-imports-no-tests',
      severity: 'error',
      from: { path: '^(src|workflows|activities)/' },
      to: { path: '^test/' },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      comment: 'A file that is imported by none and imports nothing is left over.',
      from: {
        orphan: true,
        path: '^(src|workflows|activities)/',
        // The list of patches is empty until the first workflow changes.
        pathNot: [
          '^src/main/',
          '^src/web/assets/site\\.js$',
          '^src/docs-site/(assets/docs\\.js|highlight-js\\.d\\.ts)$',
          '^workflows/versions\\.ts$',
        ],
      },
      to: {},
    },
    {
      name: 'every-folder-has-a-rule',
      severity: 'error',
      comment: 'A new folder of src/ needs its line in this table before it imports anything.',
      from: {
        path: '^src/[^/]+/',
        pathNot: room(
          ...['domain', 'db', 'ledger', 'vault', 'connectors', 'iso20022', 'providers', 'temporal'],
          ...[
            'http',
            'web',
            'dashboard',
            'console',
            'access-pages',
            'docs-site',
            'client',
            'client-types',
            'sandbox',
            'config',
            'verify',
            'ops',
            'smoke',
          ],
          ...['runtime', 'local', 'main'],
          ...USE_CASES,
        ),
      },
      to: {},
    },

    onlyImports(
      'domain-is-pure',
      '^src/domain/',
      [
        '^src/domain/',
        ...npm(
          'big\\.js',
          '@types/big\\.js',
          'ibantools',
          'i18n-iso-countries',
          'temporal-polyfill',
        ),
        // Pure functions alone: ABI, serialising, hashes. Neither clients nor transports.
        ...npm('viem', '@noble/hashes'),
        ...npm(
          'any-ascii',
          'unhomoglyph',
          'minisearch',
          'damerau-levenshtein',
          '@types/damerau-levenshtein',
        ),
      ],
      'Rules decide from their arguments: no database, network, clock or randomness.',
    ),
    {
      name: 'domain-does-no-io',
      severity: 'error',
      comment: 'Not even through Node itself.',
      from: { path: '^src/domain/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'workflows-import-little',
      severity: 'error',
      comment: 'What a workflow imports must give the same answer at every replay, for ever.',
      from: { path: '^workflows/' },
      to: {
        pathNot: [
          '^workflows/',
          '^src/domain/',
          '^activities/types\\.ts$',
          ...npm('@temporalio/workflow', '@temporalio/common'),
        ],
      },
    },
    {
      name: 'workflows-take-only-types-from-activities',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^activities/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'activities-import-neither-routes-nor-workflows',
      severity: 'error',
      comment: 'Activities do the work; they know neither routes nor workflow code.',
      from: { path: '^activities/' },
      to: {
        path: [
          '^src/(http|web|dashboard|console|client|sandbox|config|local|verify)/',
          '^workflows/',
        ],
        pathNot: '^workflows/(options|task-queues)\\.ts$',
      },
    },
    {
      name: 'activity-types-are-only-types',
      severity: 'error',
      comment: 'Workflows import this file, so it must bring nothing along.',
      from: { path: '^activities/types\\.ts$' },
      to: { dependencyTypesNot: ['type-only'] },
    },

    ...['db', 'iso20022', 'providers'].map((name) =>
      onlyImports(
        `${name}-imports-domain-only`,
        `^src/${name}/`,
        [`^src/${name}/`, '^src/domain/', ANY_PACKAGE],
        'An edge knows the rules and its own library, not the other edges.',
      ),
    ),
    onlyImports(
      'connectors-import-domain-and-formats',
      '^src/connectors/',
      [...room('connectors', 'domain', 'iso20022'), ANY_PACKAGE],
      'A connector speaks to one bank or chain: the rest of the engine is handed what it answers.',
    ),
    onlyImports(
      'ledger-imports-domain-and-db',
      '^src/ledger/',
      ['^src/ledger/', '^src/(domain|db)/'],
      'Double entry is rules and SQL.',
    ),
    ...USE_CASES.map((name) =>
      onlyImports(
        `${name}-is-a-use-case`,
        `^src/${name}/`,
        [...room(...USE_CASES), ...CORE.map((path) => `^${path}/`), ANY_PACKAGE],
        'A use case is made of rules, stores, the ledger and other use cases; clients of other systems are handed in.',
      ),
    ),
    onlyImports(
      'signature-stands-alone',
      '^src/webhooks/(signature|(hmac|ed25519)-[a-z-]+)\\.ts$',
      ['^src/domain/', '^src/webhooks/(hmac|ed25519)-'],
      'The sandbox and the published client sign and verify with it.',
    ),
    onlyImports('vault-stands-alone', '^src/vault/', ['^src/vault/'], 'Only node:crypto.'),
    onlyImports(
      'embedded-stands-alone',
      '^src/local/embedded/',
      ['^src/local/embedded/', '^src/runtime/plain-error\\.ts$', ANY_PACKAGE],
      'It starts PostgreSQL and Temporal servers, whatever they are used for.',
    ),
    onlyImports(
      'listen-speaks-to-the-api',
      '^src/local/listen/',
      [
        '^src/(local/listen|domain)/',
        '^src/(webhooks/signature|config/listen-config|runtime/(plain-error|command-program))\\.ts$',
        '^src/local/ask-api\\.ts$',
        '^src/local/embedded/process-facts\\.ts$',
        ANY_PACKAGE,
      ],
      "It is a partner's program: it knows an installation by its API alone.",
    ),
    onlyImports(
      'smoke-speaks-to-the-api',
      '^src/smoke/',
      ['^src/smoke/', ...npm('undici', 'standardwebhooks')],
      'It knows an installation by its API alone, and checks signatures by code that is not ours.',
    ),
    onlyImports(
      'sandbox-imports-domain-only',
      '^src/sandbox/',
      ['^src/(sandbox|domain)/', '^src/webhooks/signature\\.ts$', ANY_PACKAGE],
      'Bank, KYC provider and mailbox are spoken to over HTTP only.',
    ),
    onlyImports(
      'config-stands-alone',
      '^src/config/',
      ['^src/(config|domain)/', ANY_PACKAGE],
      'Every program imports it to read its environment, so it may import none of them.',
    ),
    onlyImports(
      'verify-imports-domain-and-db',
      '^src/verify/',
      ['^src/(verify|domain|db)/', ...npm('pg', '@types/pg', '@temporalio')],
      'A check that called the code it checks would repeat its mistakes.',
    ),
    onlyImports(
      'client-imports-signature-only',
      '^src/client/',
      ['^src/client/', '^src/webhooks/signature\\.ts$'],
      'Partners install it without the rest, and without any package.',
    ),
    onlyImports(
      'client-types-stand-alone',
      '^src/client-types/',
      ['^src/client-types/'],
      "It makes text of the API's document, and knows nothing but that.",
    ),
    onlyImports(
      'temporal-imports-domain-and-names',
      '^src/temporal/',
      [
        ...room('temporal', 'domain'),
        '^activities/(types|failures)\\.ts$',
        '^workflows/(options|task-queues|search-attributes|started-for)\\.ts$',
        ANY_PACKAGE,
      ],
      'It starts workflows by name; workers are handed their activities.',
    ),
    {
      name: 'routes-import-no-connector',
      severity: 'error',
      comment: 'A route writes to PostgreSQL and wakes a workflow; activities speak to banks.',
      from: { path: '^src/(http|web|dashboard|console|access-pages)/' },
      to: {
        path: [
          '^src/(connectors|providers|sandbox|config|local|verify|client)/',
          '^(activities|workflows)/',
        ],
        pathNot: [
          '^activities/types\\.ts$',
          '^workflows/(options|task-queues)\\.ts$',
          // Parses the body of a callback: it is pure and makes no call.
          '^src/connectors/http-bank/bank-callback\\.ts$',
        ],
      },
    },
    {
      name: 'only-workers-reach-signers',
      severity: 'error',
      comment:
        'Keys are opened for workers of the queue `chain` and for one deployment, and sealed by one command.',
      from: {
        path: '^(src|workflows|activities)/',
        pathNot: '^src/(chain/signers/|runtime/open-signers\\.ts$|ops/add-chain-key\\.ts$)',
      },
      to: { path: '^src/chain/signers/' },
    },
    {
      name: 'what-faces-partners-reaches-no-signer',
      severity: 'error',
      comment: 'Not over any number of files: who takes over the API or the pages finds no key.',
      from: { path: '^src/(main/(api|web)|runtime/start-(api|web))\\.ts$' },
      to: { path: '^src/(chain/signers/|runtime/open-signers\\.ts$)', reachable: true },
    },
    {
      name: 'only-programs-import-runtime-and-ops',
      severity: 'error',
      comment: 'Wiring and commands for operators: only programs and local runs are made of them.',
      from: {
        path: '^(src|workflows|activities)/',
        pathNot: '^src/(main|runtime|local|ops)/',
      },
      to: { path: '^src/(runtime|ops)/' },
    },
    {
      name: 'production-imports-no-local-run',
      severity: 'error',
      comment:
        'Embedded servers, dev, demo and listen build on the engine; nothing in production needs them.',
      from: {
        path: '^(src|workflows|activities)/',
        pathNot: '^src/(local/|main/(dev|demo|listen)\\.ts$)',
      },
      to: { path: '^src/local/' },
    },
    {
      name: 'http-imports-no-dashboard',
      severity: 'error',
      comment:
        'The API shares parts, defences and refusals of pages, and nothing that lets people in.',
      from: { path: '^src/http/' },
      to: {
        path: [
          '^src/(dashboard|console|access|access-pages)/',
          '^src/web/(?!parts/|assets/|send-page|page-refusal|forms/form-rules|plugins/(origin-check|refusals|security-headers))',
        ],
      },
    },
    onlyImports(
      'web-knows-no-page',
      '^src/web/',
      [
        ...room('web', 'domain', 'db', 'vault'),
        // What every HTTP surface does the same way.
        '^src/http/(client-address|count-header|describe-fault|lists|readable-query|storable-text)\\.ts$',
        '^src/http/plugins/(request-id|request-log)\\.ts$',
        ANY_PACKAGE,
      ],
      "Defences, forms and parts serve both surfaces; what a page shows is the surfaces' business.",
    ),
    onlyImports(
      'docs-site-knows-the-document-alone',
      '^src/docs-site/',
      ['^src/(docs-site|domain)/', '^src/web/(parts|assets)/', ANY_PACKAGE],
      "It shows what the API's document says, and neither calls it nor knows how it works.",
    ),
    ...['dashboard', 'console'].map((name) =>
      onlyImports(
        `${name}-knows-not-the-other`,
        `^src/${name}/`,
        [
          ...room(name, 'web', 'access-pages', ...USE_CASES),
          ...CORE.map((path) => `^${path}/`),
          ANY_PACKAGE,
        ],
        'Customers and operators share parts and use cases, never a page or a right.',
      ),
    ),
    onlyImports(
      'access-pages-serve-both-surfaces',
      '^src/access-pages/',
      [
        ...room('access-pages', 'web', ...USE_CASES),
        ...CORE.map((path) => `^${path}/`),
        ANY_PACKAGE,
      ],
      "Logging in and what is a person's own are the same in dashboard and console, and know neither.",
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|\\.dev)/' },
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
