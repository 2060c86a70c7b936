import { userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { openResources } from '../runtime/resources.ts';
import { runMain } from '../runtime/run-main.ts';
import { readConfig } from '../config/config.ts';
import { findTargets } from '../config/ops-config.ts';
import { PlainError } from '../runtime/plain-error.ts';
import { addCustomer, addKey } from '../ops/customer-commands.ts';
import { replayPayment, showPayment, showStuckPayments } from '../ops/payment-commands.ts';
import { USAGE } from '../ops/usage.ts';
import { readTemporalSettings } from '../temporal/connect.ts';

const LIMIT_MAX = 1_000;

runMain(async () => {
  const { positionals, values } = readArguments();
  const env = findTargets(process.env);
  const resources = openResources(
    readConfig({ LOG_LEVEL: 'error', ...env }),
    readTemporalSettings(env),
    'ops',
  );
  const deps = {
    ...resources,
    print: (text: string) => {
      console.log(text);
    },
  };
  const isLocalRun = process.env['DATABASE_URL'] === undefined;
  // On a server everybody may be the same user of the system, and the audit log wants a person.
  const operator = values.operator ?? (isLocalRun ? userInfo().username : undefined);
  const [noun, verb, id] = positionals;
  const need = (value: string | undefined, what: string): string => {
    if (value === undefined || value.trim() === '')
      throw new PlainError(`${what} is missing.\n\n${USAGE}`);
    return value;
  };
  try {
    switch (`${noun ?? ''} ${verb ?? ''}`) {
      case 'payments show':
        await showPayment(deps, need(id, 'The id of the payment'));
        return 0;
      case 'payments stuck':
        await showStuckPayments(deps, readLimit(values.limit));
        return 0;
      case 'payments replay':
        await replayPayment(deps, need(id, 'The id of the payment'), {
          operator: need(operator, '--operator'),
          reason: need(values.reason, '--reason'),
        });
        return 0;
      case 'customers add':
        await addCustomer(deps, {
          name: need(values.name, '--name'),
          hasLiveAccess: values.live ?? false,
        });
        return 0;
      case 'keys add':
        await addKey(deps, {
          customerId: need(values.customer, '--customer'),
          environment: readEnvironment(values.environment),
          name: need(values.name, '--name'),
          approvedRanges: values.allow ?? [],
          operator: need(operator, '--operator'),
        });
        return 0;
      default:
        console.error(USAGE);
        return 2;
    }
  } finally {
    await resources.close();
  }
});

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        reason: { type: 'string' },
        operator: { type: 'string' },
        limit: { type: 'string' },
        name: { type: 'string' },
        live: { type: 'boolean' },
        customer: { type: 'string' },
        environment: { type: 'string' },
        allow: { type: 'string', multiple: true },
      },
    });
  } catch (error) {
    throw new PlainError(`${error instanceof Error ? error.message : ''}\n\n${USAGE}`);
  }
}

function readLimit(text = '50'): number {
  const limit = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LIMIT_MAX) throw new PlainError('--limit must be 1 to 1000.');
  return limit;
}

function readEnvironment(text: string | undefined): 'test' | 'live' {
  if (text === 'test' || text === 'live') return text;
  throw new PlainError(`--environment must be test or live.\n\n${USAGE}`);
}
