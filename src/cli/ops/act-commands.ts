import { Argument, InvalidArgumentError, Option, type Command } from '@commander-js/extra-typings';
import { problemWith } from '../../modules/operations/acts/act-input.ts';
import { ACTS } from '../../modules/operations/acts/acts.ts';
import {
  commandOf,
  type ActCommand,
  type ActEntry,
  type ActInput,
  type ActInputs,
} from '../../modules/operations/acts/operator-act.ts';
import type { CommandContext, OpsDeps } from './command-context.ts';
import { waitOption } from './handed-in.ts';
import { operatorOption, reasonOption } from './option-values.ts';
import { performAct, type ActAsked } from './perform-act.ts';

type Values = Readonly<Record<string, string>>;

/** An act with its command. */
interface Commanded {
  readonly act: ActEntry;
  readonly command: ActCommand<unknown>;
}

/** The acts of a command, as `payments retry`. Acts on subjects of several kinds may share it. */
export const actsOf = (line: string): readonly ActEntry[] =>
  ACTS.filter((act) => commandOf(act)?.line === line);

/** Adds the commands of a noun, as `payments`, that come from the table of acts, but for those that are written out. */
export function addActCommands(
  parent: Command,
  context: CommandContext,
  writtenOut: readonly string[] = [],
): void {
  const noun = parent.name();
  const lines = ACTS.flatMap((act) => commandOf(act)?.line ?? []);
  for (const line of new Set(lines)) {
    const [of, verb = ''] = line.split(' ');
    if (of === noun && !writtenOut.includes(verb)) addActCommand(parent, context, line);
  }
}

/** What the help of a command says: what its acts do, and who decides. */
export function describeActs(acts: readonly ActEntry[]): string {
  const summaries = [...new Set(acts.map(({ summary }) => summary))].join(' ');
  return acts.some(({ decidedBy }) => decidedBy === 'TWO')
    ? `${summaries} It is handed in; two operators then approve it in the console.`
    : summaries;
}

function addActCommand(parent: Command, context: CommandContext, line: string): void {
  const acts = actsOf(line).flatMap((act): Commanded[] => {
    const own = commandOf(act);
    return own === null ? [] : [{ act, command: own }];
  });
  const [first] = acts;
  if (first === undefined) throw new Error(`no act has the command ${line}`);
  const command = parent
    .command(line.split(' ')[1] ?? line)
    .description(describeActs(acts.map(({ act }) => act)));
  const inputs = { ...locatorInputs(first.command), ...first.act.inputs };
  Object.values(inputs).forEach((input) => addInput(command, input));
  const { isAllNamed = false, reasonPreset } = first.command;
  if (isAllNamed) command.addOption(new Option('--all', 'everything').conflicts(optional(inputs)));
  if (first.act.isReasonAsked !== false) {
    command.addOption(
      reasonPreset === undefined
        ? reasonOption()
        : reasonOption().makeOptionMandatory(false).default(reasonPreset),
    );
  }
  command.addOption(operatorOption(context));
  if (acts.some(({ act }) => act.decidedBy === 'TWO')) command.addOption(waitOption());
  command.action(() => {
    const given = readValues(command, inputs);
    const options = command.opts() as Values & { readonly all?: true; readonly wait?: true };
    const wrong = problemOf(first, given, options.all === true);
    if (wrong !== null) command.error(`error: ${wrong}`);
    const { reason = '', operator = '' } = options;
    const chosen = byId(acts, given);
    const isWaitedFor = options.wait === true;
    return context.run((deps) =>
      runCommand(deps, chosen, given, { act: { reason, operator }, isWaitedFor }),
    );
  });
}

const ID = 'id';

/** What names the subject: a value of its own, or what the command says. */
function locatorInputs({ id, locator }: ActCommand<unknown>): ActInputs {
  if (id === undefined) return locator?.inputs ?? {};
  return { [ID]: { label: ID, what: 'the id', lengthMax: 100, ...id } };
}

function addInput(command: Command, input: ActInput): void {
  const { option: flags, help, choices, preset, isOptional = false } = input;
  const words = choices?.map(({ value, word }) => word ?? value);
  const read = (text: string) => {
    if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
    const problem = problemWith(input, valueOf(input, text));
    if (problem !== null) throw new InvalidArgumentError(problem);
    return text;
  };
  if (flags.startsWith('<')) {
    const argument = new Argument(flags, help);
    command.addArgument(words === undefined ? argument.argParser(read) : argument.choices(words));
    return;
  }
  const option = new Option(flags, help);
  const known = words === undefined ? option.argParser(read) : option.choices(words);
  if (preset !== undefined) known.default(preset);
  command.addOption(known.makeOptionMandatory(!isOptional && preset === undefined));
}

/** The value that a word of the command line stands for. */
const valueOf = ({ choices }: ActInput, text: string): string =>
  choices?.find(({ word }) => word === text)?.value ?? text;

const nameOf = ({ option }: ActInput): string => new Option(option).attributeName();

const optional = (inputs: ActInputs): string[] =>
  Object.values(inputs)
    .filter(({ isOptional }) => isOptional)
    .map(nameOf);

function readValues(command: Command, inputs: ActInputs): Values {
  const options = command.opts() as Values;
  const texts = [...command.args];
  return Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => {
      const text = input.option.startsWith('<') ? texts.shift() : options[nameOf(input)];
      return [name, text === undefined ? '' : valueOf(input, text)];
    }),
  );
}

/** What is wrong with the values together; null where nothing is. */
function problemOf({ act, command }: Commanded, given: Values, isAll: boolean): string | null {
  const wrong = command.locator?.judge?.(given) ?? act.judge?.(given) ?? null;
  if (wrong !== null || command.isAllNamed !== true || isAll) return wrong;
  const inputs = { ...locatorInputs(command), ...act.inputs };
  const isNamed = Object.keys(inputs).some((name) => given[name] !== '');
  const flags = Object.values(inputs).map(({ option }) => option.split(' ')[0] ?? option);
  return isNamed ? null : `option '--all' not specified, nor ${flags.join(', ')}`;
}

/** Of acts that share a command, those that take the id. */
function byId(acts: readonly Commanded[], given: Values): readonly Commanded[] {
  const takes = acts.filter(({ command: { id } }) => id?.takes?.(given[ID] ?? '') ?? true);
  return takes.length > 0 ? takes : acts;
}

async function runCommand(
  deps: OpsDeps,
  acts: readonly Commanded[],
  values: Values,
  by: Pick<ActAsked, 'act' | 'isWaitedFor'>,
): Promise<number> {
  const asked = acts.map(({ act, command }) => ({
    entry: act,
    find: (acting: Parameters<ActEntry['subject']['find']>[0]) =>
      command.locator === undefined
        ? (command.id?.find ?? act.subject.find)(acting, values[ID] ?? '')
        : command.locator.find(acting, values),
    missing: command.locator?.missing(values) ?? act.subject.missing(values[ID] ?? ''),
    ...{ values, ...by },
  }));
  return performAct(deps, asked);
}
