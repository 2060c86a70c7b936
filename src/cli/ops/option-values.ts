import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import {
  ALL_PERMISSIONS,
  isKeyScope,
  PERMISSIONS,
} from '../../domain/customers/keys/permissions.ts';
import type { KeyScope } from '../../domain/customers/keys/permissions.ts';
import { readMoment } from '../../domain/moments.ts';
import { ENVIRONMENTS } from '../../domain/scope.ts';
import type { CommandContext } from './command-context.ts';

const NAME_MAX = 100;
const REASON_MAX = 500;

/** One line of 1 to `max` characters, in which nothing can steer the terminal that shows it. */
const lineOf = (max: number) => (text: string) => {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  if (text.length > max) {
    throw new InvalidArgumentError(`It must have at most ${String(max)} characters.`);
  }
  // Half a character is stored as another one.
  if (/[\p{Cc}\p{Cs}]/u.test(text))
    throw new InvalidArgumentError('It must be one line of plain text.');
  return text;
};

export const readName = lineOf(NAME_MAX);
export const readReason = lineOf(REASON_MAX);

/** Who runs a command says so: nothing vouches for it, so it must not look like one who is logged in. */
function readTypedName(text: string): string {
  if (/^(?:opr_|user:)/i.test(text.trim())) {
    throw new InvalidArgumentError(
      'It must be a name: operators with an account decide in the console.',
    );
  }
  return readName(text);
}

/** A whole number of things to show or to do, `max` at the most. */
export const readCount = (max: number) => (text: string) => {
  const count = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= max) return count;
  throw new InvalidArgumentError(`It must be a number from 1 to ${String(max)}.`);
};

const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A time, or the beginning of a day in UTC. */
export function readTime(text: string): Date {
  const moment = TIME.test(text) ? readMoment(text) : null;
  if (moment === null) {
    throw new InvalidArgumentError('It must be a date or a time as 2026-11-22T04:00:00Z.');
  }
  return moment;
}

/** Why an operator acts; the audit log keeps it. */
export const reasonOption = () =>
  new Option('--reason <text>', 'why; the audit log keeps it permanently, so do not name a person')
    .argParser(readReason)
    .makeOptionMandatory();

/** On a server many share one login of the system, and the audit log wants a person. */
export function operatorOption({ defaultOperator }: CommandContext) {
  const option = new Option('--operator <name>', 'who runs this; the audit log keeps it')
    .argParser(readTypedName)
    .makeOptionMandatory();
  if (defaultOperator !== undefined) option.default(defaultOperator, 'your login');
  return option;
}

/** What a key may do, one scope at a time; everything where none is given. */
export const scopeOption = () =>
  new Option(
    '--scope <scope>',
    'scope of the key, for example payments:read; repeatable (default: all)',
  ).argParser((text: string, before: readonly KeyScope[] | undefined) => {
    if (isKeyScope(text)) return [...(before ?? []), text];
    throw new InvalidArgumentError(`There is: ${[ALL_PERMISSIONS, ...PERMISSIONS].join(', ')}.`);
  });

export const environmentOption = () =>
  new Option('--environment <name>', 'test or live').choices(ENVIRONMENTS);

export const customerOption = () => new Option('--customer <id>', 'cus_...').argParser(readName);
