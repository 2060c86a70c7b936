import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface ComposeService {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The program that tells whether it is healthy; null where it has none. */
  readonly healthcheck: readonly string[] | null;
  readonly dependsOn: readonly { readonly service: string; readonly isToEnd: boolean }[];
}

interface Written {
  readonly build?: string;
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[] };
}

/** What `sh deploy/make-env.sh > .env` writes. */
export function makeEnvironment(root: string): Record<string, string> {
  const text = execFileSync('sh', [join(root, 'deploy/make-env.sh')], { encoding: 'utf8' });
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );
}

/** Where every service of docker-compose.yml has its monitor, in a network of its own. */
const MONITOR_PORT = '9464';

/**
 * The services of docker-compose.yml that run our image, with the variables of `.env` filled in. Here they share one
 * network, so each has another port for its monitor.
 */
export function readServices(
  root: string,
  variables: Readonly<Record<string, string>>,
): ReadonlyMap<string, ComposeService> {
  const text = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
  const { services } = parse(text, { merge: true }) as { services: Record<string, Written> };
  const ours = Object.entries(services).filter(([, { build }]) => build !== undefined);
  return new Map(
    ours.map(([name, written], index) => {
      const service = readService(written, variables);
      return [name, atPort(service, String(Number(MONITOR_PORT) + index))];
    }),
  );
}

const atPort = (service: ComposeService, port: string): ComposeService => ({
  ...service,
  environment: { ...service.environment, MONITOR_PORT: port },
  healthcheck: service.healthcheck?.map((word) => word.replaceAll(MONITOR_PORT, port)) ?? null,
});

function readService(
  written: Written,
  variables: Readonly<Record<string, string>>,
): ComposeService {
  const { entrypoint = [], command = [], environment = {}, healthcheck } = written;
  const [kind, ...check] = healthcheck?.test ?? [];
  return {
    command: [...entrypoint, ...(written.profiles === undefined ? command : [])],
    environment: Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [name, fillIn(value, variables)]),
    ),
    healthcheck: kind === 'CMD' ? check : null,
    dependsOn: Object.entries(written.depends_on ?? {}).map(([service, { condition }]) => ({
      ...{ service, isToEnd: condition === 'service_completed_successfully' },
    })),
  };
}

/** `${NAME:?hint}` must be set, `${NAME:-default}` has a default: Compose Specification, Interpolation. */
function fillIn(value: string, variables: Readonly<Record<string, string>>): string {
  return value.replace(
    /\$\{([A-Z0-9_]+)(?::([-?])([^}]*))?\}/g,
    (_all, name: string, kind: string | undefined, rest: string | undefined) => {
      const given = variables[name] ?? '';
      if (given !== '') return given;
      if (kind === '?') throw new Error(`${name} is not set: ${rest ?? ''}`);
      return rest ?? '';
    },
  );
}
