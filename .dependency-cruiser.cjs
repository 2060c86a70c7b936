/**
 * Who may import whom. Paths are regular expressions from the root of the repository. src/ has ten rooms; the same ten
 * modules are their folders. A room imports what its row names, and itself.
 */

/** Node's own modules and packages, as dependency-cruiser resolves them. */
const npm = (...names) => names.map((name) => `node_modules/${name}(/|$)`);
const room = (...names) => names.map((name) => `^src/${name}/`);

const ANY_PACKAGE = 'node_modules/';
const PROGRAMS = '^src/(server/processes/|cli/([^/]+|generators/[^/]+)\\.ts$)';

/** What each room imports, beside itself. The document of a row says why. */
const ROOMS = {
  vault: [['domain'], 'Keys, sealing, and signatures: of packages, only node:crypto.'],
  db: [['domain'], 'SQL and rows: stores know the rules, and no use case.'],
  adapters: [['domain'], 'An adapter speaks one protocol of a bank, chain, provider, or Temporal.'],
  sandbox: [['domain', 'vault'], 'The engine speaks to the sandbox over HTTP alone.'],
  modules: [['db', 'domain', 'vault'], 'Use cases; clients of other systems are passed in.'],
  web: [['modules', 'db', 'domain', 'vault'], 'Pages call use cases.'],
  api: [
    ['web/kit', 'web/docs', 'modules', 'db', 'domain', 'vault'],
    'A route writes to PostgreSQL and signals a workflow; it calls no bank and shows no page of a person.',
  ],
  server: [
    ['api', 'web', 'sandbox', 'modules', 'adapters', 'db', 'domain', 'vault'],
    'Settings, wiring, and processes. Nothing in production needs a command.',
  ],
  cli: [
    ['server', 'api', 'web', 'sandbox', 'modules', 'adapters', 'db', 'domain', 'vault'],
    'Commands for operators and local runs. Nothing imports them.',
  ],
};

/** Modules import those of the lines above theirs. */
const MODULES = [
  ['approvals', 'idempotency'],
  ['ledger', 'parties'],
  ['payments', 'customers'],
  ['onchain', 'reconciliation', 'webhooks'],
  ['operations'],
];

/** The code of Temporal that a room may name: who starts workflows, and who runs them. */
const TEMPORAL_CODE = { server: ['^(activities|workflows)/'], cli: ['^(activities|workflows)/'] };

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

const roomRules = Object.entries(ROOMS).map(([name, [below, comment]]) =>
  onlyImports(
    `room-${name}`,
    `^src/${name}/`,
    [
      ...room(name, ...below),
      ...(TEMPORAL_CODE[name] ?? []),
      ...(name === 'vault' ? [] : [ANY_PACKAGE]),
    ],
    comment,
    // The published client has a stricter row below.
    name === 'api' ? { pathNot: '^src/api/client/' } : {},
  ),
);

const moduleRules = MODULES.flatMap((line, index) =>
  line.map((name) => ({
    name: `module-${name}`,
    severity: 'error',
    comment: `Modules of src/modules/ stand in ${String(MODULES.length)} lines; each imports those above it.`,
    from: { path: `^src/modules/${name}/` },
    to: {
      path: '^src/modules/',
      pathNot: room(...[name, ...MODULES.slice(0, index).flat()].map((one) => `modules/${one}`)),
    },
  })),
);

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
      to: { path: PROGRAMS },
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
      from: {
        path: '^(src|workflows|activities)/',
        pathNot: '^src/cli/generators/contracts\\.ts$',
      },
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
          PROGRAMS,
          '^src/web/kit/assets/site\\.js$',
          '^src/web/docs/(assets/docs\\.js|highlight-js\\.d\\.ts)$',
          '^workflows/versions\\.ts$',
        ],
      },
      to: {},
    },
    {
      name: 'every-file-has-a-room',
      severity: 'error',
      comment: 'src/ has ten rooms, and src/modules/ ten modules.',
      from: {
        path: '^src/',
        pathNot: [
          ...room('domain', ...Object.keys(ROOMS).filter((name) => name !== 'modules')),
          ...room(...MODULES.flat().map((name) => `modules/${name}`)),
        ],
      },
      to: {},
    },

    onlyImports(
      'room-domain',
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
        // Names of search attributes.
        ...npm('@temporalio/common'),
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
    ...roomRules,
    ...moduleRules,
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
    onlyImports(
      'activities-import-modules-and-below',
      '^activities/',
      ['^activities/', ...room('modules', 'db', 'domain', 'vault'), ANY_PACKAGE],
      'Activities do the work; they know neither routes nor workflow code, and adapters are passed in.',
    ),
    {
      name: 'activity-types-are-only-types',
      severity: 'error',
      comment: 'Workflows import this file, so it must bring nothing along.',
      from: { path: '^activities/types\\.ts$' },
      to: { dependencyTypesNot: ['type-only'] },
    },

    // Inside the rooms.
    onlyImports(
      'web-kit-knows-no-page',
      '^src/web/kit/',
      [...room('web/kit', 'db', 'domain', 'vault'), ANY_PACKAGE],
      "Defences, forms and parts serve all surfaces; what a page shows is the surfaces' business.",
    ),
    ...[
      ['dashboard', ['web/kit', 'web/login', 'modules', 'db', 'domain', 'vault']],
      ['console', ['web/kit', 'web/login', 'modules', 'db', 'domain', 'vault']],
      ['login', ['web/kit', 'modules', 'db', 'domain', 'vault']],
      ['docs', ['web/kit', 'domain']],
    ].map(([name, below]) =>
      onlyImports(
        `web-${name}-knows-no-other-surface`,
        `^src/web/${name}/`,
        [...room(`web/${name}`, ...below), ANY_PACKAGE],
        'Customers, operators and readers share parts and use cases, never a page or a right.',
      ),
    ),
    onlyImports(
      'client-stands-alone',
      '^src/api/client/',
      [...room('api/client', 'vault/webhook-signatures')],
      'Partners install it without the rest, and without any package.',
    ),
    onlyImports(
      'config-stands-alone',
      '^src/server/config/',
      [...room('server/config', 'domain'), ANY_PACKAGE],
      'Every program imports it to read its environment, so it may import none of them.',
    ),
    onlyImports(
      'verify-imports-domain-and-db',
      '^src/cli/verify/',
      [...room('cli/verify', 'domain', 'db'), ...npm('pg', '@types/pg', '@temporalio')],
      'A check that called the code it checks would repeat its mistakes.',
    ),
    onlyImports(
      'smoke-speaks-to-the-api',
      '^src/cli/smoke/',
      [...room('cli/smoke'), ...npm('undici', 'standardwebhooks')],
      'It knows an installation by its API alone, and checks signatures by code that is not ours.',
    ),
    onlyImports(
      'listen-speaks-to-the-api',
      '^src/cli/listen/',
      [
        ...room('cli/listen', 'domain', 'vault/webhook-signatures'),
        '^src/server/(config/listen-config|runtime/(plain-error|command-program))\\.ts$',
        '^src/cli/(shared/ask-api|embedded/process-facts)\\.ts$',
        ANY_PACKAGE,
      ],
      "It is a partner's program: it knows an installation by its API alone.",
    ),
    onlyImports(
      'embedded-stands-alone',
      '^src/cli/embedded/',
      [...room('cli/embedded'), '^src/server/runtime/plain-error\\.ts$', ANY_PACKAGE],
      'It starts PostgreSQL and Temporal servers, whatever they are used for.',
    ),
    {
      name: 'only-workers-reach-signers',
      severity: 'error',
      comment:
        'Keys are opened for workers of the queue `chain` and for one deployment, and sealed by one command.',
      from: {
        path: '^(src|workflows|activities)/',
        pathNot:
          '^src/(modules/onchain/signers/|server/runtime/open-signers\\.ts$|cli/ops/add-chain-key\\.ts$)',
      },
      to: { path: '^src/modules/onchain/signers/' },
    },
    {
      name: 'what-faces-partners-reaches-no-signer',
      severity: 'error',
      comment: 'Not over any number of files: who takes over the API or the pages finds no key.',
      from: {
        path: '^src/server/(processes/(api|dashboard|console)|runtime/start-(api|dashboard|console|surface))\\.ts$',
      },
      to: {
        path: '^src/(modules/onchain/signers/|server/runtime/open-signers\\.ts$)',
        reachable: true,
      },
    },
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
