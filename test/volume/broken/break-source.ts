import { resolve } from 'node:path';
import { brokenBuild } from './builds.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

/** Puts the broken text in the place of the right one, as the file is loaded; the file stays as it is. */
export function breakSource() {
  const source = brokenBuild()?.source;
  return {
    name: 'break-source',
    transform(code: string, id: string) {
      if (source === undefined || id.split('?', 1)[0] !== resolve(ROOT, source.path)) return null;
      if (!code.includes(source.from)) throw new Error(`${source.path} has no such text`);
      return { code: code.replace(source.from, () => source.to), map: null };
    },
    enforce: 'pre' as const,
  };
}
