import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startDetached } from './detached-process.ts';
import type { FetchOptions } from './fetch-step.ts';
import { watchFetch } from './fetch-step.ts';

const GO_MINOR_MIN = 25;
const BUILD_MAX_MS = 20 * 60_000;
/** How many packages Go 1.26 compiles for version 1.5.1, those of its own library included. */
const PACKAGES = 1297;
const SHARE_MAX = 0.99;
const GO_VERSION_TIMEOUT_MS = 10_000;

/**
 * Builds the CLI from source by `go install`; Go's checksum database guards what it fetches.
 * @returns null when `target` is there, or why it is not.
 */
export async function buildTemporal(options: FetchOptions): Promise<string | null> {
  const { target, version, environment, progress } = options;
  const goProblem = await findGoProblem(environment);
  if (goProblem !== null) return goProblem;
  const draft = `${target}.build`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  const module = `github.com/temporalio/cli/cmd/temporal@v${version}`;
  progress(
    `Temporal CLI: building it with Go (${module}), once. This takes about 2.5 to 5 minutes on two cores. ` +
      'To avoid it, set TEMPORAL_CLI_PATH to a Temporal CLI, or put "temporal" on PATH.',
  );
  let packages = 0;
  const running = startDetached({
    command: 'go',
    args: ['install', '-v', '-buildvcs=false', '-ldflags', '-s -w', module],
    // Outside of any Go module, and with its own GOOS and GOARCH: GOBIN refuses cross builds.
    cwd: draft,
    env: { ...environment, GOBIN: draft, GOOS: undefined, GOARCH: undefined },
    onLine: (line) => {
      if (isPackage(line)) packages += 1;
    },
  });
  const label = 'Temporal CLI: building';
  const isHopeless = (elapsedMs: number): string | null =>
    elapsedMs > BUILD_MAX_MS ? 'it took longer than twenty minutes' : null;
  // Another Go compiles a few more or less, and what is left then is the linker's work.
  const share = (): number => Math.min(packages / PACKAGES, SHARE_MAX);
  const problem = await watchFetch({ running, label, draft, progress, share, isHopeless });
  const file = join(draft, 'temporal');
  if (problem === null && existsSync(file)) renameSync(file, target);
  rmSync(draft, { recursive: true, force: true });
  return problem;
}

/** Of `go install -v`; what Go downloads and what fails it says in several words. */
const isPackage = (line: string): boolean => /^[^\s:#]+$/.test(line);

async function findGoProblem(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const wanted = `Go 1.${GO_MINOR_MIN} or later`;
  try {
    const { stdout } = await promisify(execFile)('go', ['env', 'GOVERSION'], {
      env: environment,
      timeout: GO_VERSION_TIMEOUT_MS,
    });
    const minor = Number(/^go1\.(\d+)/.exec(stdout)?.[1]);
    return minor >= GO_MINOR_MIN ? null : `${wanted} is needed, this is ${stdout.trim()}`;
  } catch {
    return `${wanted} is not installed`;
  }
}
