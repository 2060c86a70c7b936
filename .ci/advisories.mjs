// Asks the registry for advisories about the packages that are shipped. Exit code 1 where one is high or critical.
// A registry that does not answer, or that knows no advisory at all, checks nothing: then NOT CHECKED is printed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Has a critical advisory since 2020: a registry that does not know it knows none. */
const KNOWN = { name: 'minimist', version: '0.0.8' };
const OPTIONS = [
  '--json',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--fetch-timeout=60000',
];
const SEVERE = ['high', 'critical'];

/** Advisories by package. Throws why there is no answer. */
function ask(cwd, ...options) {
  const said = spawnSync('npm', ['audit', ...OPTIONS, ...options], {
    ...{ cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  });
  let report;
  try {
    report = JSON.parse(said.stdout);
  } catch {
    throw new Error('npm audit said nothing');
  }
  if (report.vulnerabilities === undefined) {
    throw new Error(
      `the registry gave no advisories (${report.statusCode ?? report.error?.code ?? 'no answer'})`,
    );
  }
  return Object.values(report.vulnerabilities);
}

/** Asks about a package that has an advisory. */
function askAboutKnown() {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-advisories-'));
  const root = { name: 'known', version: '1.0.0', dependencies: { [KNOWN.name]: KNOWN.version } };
  const packages = { '': root, [`node_modules/${KNOWN.name}`]: { version: KNOWN.version } };
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
    writeFileSync(
      join(folder, 'package-lock.json'),
      JSON.stringify({
        name: root.name,
        version: root.version,
        lockfileVersion: 3,
        requires: true,
        packages,
      }),
    );
    if (ask(folder, '--package-lock-only').length === 0) {
      throw new Error(`the registry knows no advisory about ${KNOWN.name} ${KNOWN.version}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

try {
  askAboutKnown();
  const severe = ask(process.cwd(), '--package-lock-only', '--omit=dev').filter(({ severity }) =>
    SEVERE.includes(severity),
  );
  for (const { name, severity, via } of severe) {
    const titles = via.map((one) => (typeof one === 'string' ? `by ${one}` : one.title));
    console.log(`${severity}: ${name}: ${titles.join('; ')}`);
  }
  console.log(`Advisories: ${severe.length} packages that are shipped have a high or critical one`);
  process.exitCode = severe.length > 0 ? 1 : 0;
} catch (error) {
  console.log(`Advisories: NOT CHECKED, ${error.message}`);
}
