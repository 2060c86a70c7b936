import { expect, it } from 'vitest';
import { readLockedPackages, type LockedPackage } from '../../support/locked-packages.ts';

/** By SPDX. Each allows use, change and distribution, and asks for no more than its notice. */
const PERMISSIVE = [
  ...['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0'],
  ...['PSF-2.0', 'Unlicense'],
];
/** Changes of their files have to be published. Nothing of them is shipped. */
const FOR_TOOLS = ['MPL-2.0'];

/** What is allowed by its name, with the license that it names, and why. */
const BY_NAME: Readonly<Record<string, string | null>> = {
  // Data, for the bundler of workflows. The license asks for attribution.
  'caniuse-lite': 'CC-BY-4.0',
  // Its package.json names none. Its file LICENSE is the Unlicense.
  unionfs: null,
  // Rates for a test, not shipped. Its package names none; its repository is in the public domain (CC0-1.0).
  '@fawazahmed0/currency-api': null,
};

/** Whether a license expression offers a choice, each part of which is allowed. */
function isAllowed(expression: string, allowed: readonly string[]): boolean {
  // Without brackets, a text with both has two readings.
  if (/ or /i.test(expression) && / and /i.test(expression)) return false;
  const choices = expression.replaceAll(/[()]/g, '').split(/ or /i);
  return choices.some((choice) =>
    choice.split(/ and /i).every((one) => allowed.includes(one.trim())),
  );
}

function notAllowed(packages: readonly LockedPackage[]): string[] {
  return packages
    .filter(({ name, license, isDev }) => {
      if (name in BY_NAME && BY_NAME[name] === license) return false;
      const allowed = isDev ? [...PERMISSIVE, ...FOR_TOOLS] : PERMISSIVE;
      return license === null || !isAllowed(license, allowed);
    })
    .map(({ name, version, license }) => `${name} ${version}: ${license ?? 'no license'}`);
}

const packages = readLockedPackages();

it('every package has a license that is allowed', () => {
  expect(packages.length).toBeGreaterThan(500);
  expect(notAllowed(packages)).toEqual([]);
});

it('every package that is allowed by its name is there', () => {
  const names = packages.map(({ name }) => name);
  expect(Object.keys(BY_NAME).filter((name) => !names.includes(name))).toEqual([]);
});

it.each([
  ['GPL-3.0-only', false],
  ['MIT AND GPL-3.0-only', false],
  ['(MIT OR GPL-3.0-only) AND CC-BY-NC-4.0', false],
  ['MPL-2.0', false],
  ['SEE LICENSE IN LICENSE', false],
  [null, false],
])('a package that is shipped under %s is named', (license, isDev) => {
  const one = { name: 'sample', version: '1.2.3', isInstalled: true, license, isDev };
  expect(notAllowed([one])).toEqual([`sample 1.2.3: ${license ?? 'no license'}`]);
});

it('a choice that is allowed is enough', () => {
  const one = { name: 'sample', version: '1.2.3', isInstalled: true, isDev: false };
  const licenses = ['(MIT OR GPL-3.0-only)', 'MIT or MPL-2.0', 'Apache-2.0 AND MIT'];
  expect(notAllowed(licenses.map((license) => ({ ...one, license })))).toEqual([]);
});
