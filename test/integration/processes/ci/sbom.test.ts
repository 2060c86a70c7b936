import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../support/docs/markdown.ts';
import { readLockedPackages } from '../../../support/locked-packages.ts';

interface Component {
  readonly purl: string;
  readonly version: string;
  readonly licenses?: readonly unknown[];
}

/** Their package.json names none. */
const WITHOUT_LICENSE = ['unionfs'];

let document: { readonly bomFormat: string; readonly components: readonly Component[] };
beforeAll(() => {
  const { stdout } = spawnSync('npm', ['run', '--silent', 'sbom'], {
    ...{ cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  });
  document = JSON.parse(stdout) as typeof document;
});

const purlOf = (name: string, version: string): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

describe('npm run sbom', () => {
  it('names each package that is shipped with its version, and no other', () => {
    expect(document.bomFormat).toBe('CycloneDX');
    const shipped = readLockedPackages().filter((one) => !one.isDev && one.isInstalled);
    const named = new Set(document.components.map(({ purl }) => purl));
    expect(named).toEqual(new Set(shipped.map(({ name, version }) => purlOf(name, version))));
    expect(shipped.length).toBeGreaterThan(200);
  });

  it('names the license of each', () => {
    const without = document.components.filter(({ licenses = [] }) => licenses.length === 0);
    expect(without.map(({ purl }) => purl.replace(/^pkg:npm\/|@[^@]*$/g, ''))).toEqual(
      WITHOUT_LICENSE,
    );
  });
});
