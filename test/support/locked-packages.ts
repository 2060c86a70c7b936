import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './docs/markdown.ts';

interface LockEntry {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** A package that package-lock.json names. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** It is used to build and to test, and is not shipped. */
  readonly isDev: boolean;
  /** Packages for other platforms are not. */
  readonly isInstalled: boolean;
  /** As its package says; null where it says nothing. */
  readonly license: string | null;
}

interface Manifest {
  readonly license?: string;
  readonly licenses?: readonly { readonly type: string }[];
}

/** Every package that package-lock.json names. */
export function readLockedPackages(): LockedPackage[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockEntry>>;
  };
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '');
  return entries.map(([path, entry]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const file = join(ROOT, path, 'package.json');
    const isInstalled = existsSync(file);
    const manifest = isInstalled ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : {};
    // The lock says nothing about most packages for other platforms: they are parts of the one that asks for them.
    const whole = isInstalled
      ? undefined
      : entries.find(([, other]) => other.optionalDependencies?.[name] !== undefined)?.[1];
    const license = [
      ...[entry.license, manifest.license, manifest.licenses?.[0]?.type, whole?.license],
    ].find((one) => one !== undefined);
    const { version, dev = false } = entry;
    return { name, version, isDev: dev, isInstalled, license: license ?? null };
  });
}
