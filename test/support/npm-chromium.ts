import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A Chromium and the environment that it runs in. */
export interface NpmChromium {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

const INFLATE_MS_MAX = 150_000;

/**
 * The Chromium of the optional package @sparticuz/chromium, inflated once into the cache folder, with the libraries
 * and the font that it brings. Null where the package is not installed or not built for this machine.
 */
export async function findNpmChromium(): Promise<NpmChromium | null> {
  const folder = packageFolder();
  if (folder === null) return null;
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
  };
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const target = join(cache, 'causeway', `chromium-${version}`);
  if (!existsSync(target)) await inflate(target);
  return {
    executablePath: join(target, 'chromium'),
    env: {
      LD_LIBRARY_PATH: [join(target, 'al2023/lib'), process.env['LD_LIBRARY_PATH']]
        .filter(Boolean)
        .join(':'),
      FONTCONFIG_FILE: join(target, 'fonts.conf'),
    },
  };
}

function packageFolder(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  try {
    // The package exports its entry alone: build/esm/index.js.
    return fileURLToPath(new URL('../..', import.meta.resolve('@sparticuz/chromium')));
  } catch {
    // An optional dependency: an installation may have left it out.
    return null;
  }
}

/** Several test workers may do this at once. The first one that is done puts its folder in place. */
async function inflate(target: string): Promise<void> {
  mkdirSync(join(target, '..'), { recursive: true });
  const draft = mkdtempSync(`${target}.`);
  try {
    const program = `(await import('@sparticuz/chromium')).default.executablePath()`;
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: import.meta.dirname,
      // The package writes to the temporary folder. It adds its libraries only where it sees AWS Lambda.
      env: { ...process.env, TMPDIR: draft, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
      timeout: INFLATE_MS_MAX,
    });
    writeFileSync(join(draft, 'fonts.conf'), fontsConf(target));
    renameSync(draft, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** The package's own names folders of AWS Lambda. */
const fontsConf = (target: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${target}/fonts</dir>
  <cachedir>${target}/fonts-cache</cachedir>
</fontconfig>
`;
