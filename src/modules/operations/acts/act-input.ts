/** One of the values that an input may have. */
export interface ActChoice {
  readonly value: string;
  /** As a form shows it; the value itself where it is left out. */
  readonly text?: string;
  /** As a command takes it; the value itself where it is left out. */
  readonly word?: string;
}

/** One value that an act takes: a field of its form, and an option of its command. */
export interface ActInput {
  /** Of its field. */
  readonly label: string;
  /** As sentences name it: "a reason". */
  readonly what: string;
  /** In characters. */
  readonly lengthMax: number;
  readonly isOptional?: boolean;
  /** Says in a sentence what is wrong with a text; null where nothing is. */
  readonly check?: (text: string) => string | null;
  /** All that it may be. */
  readonly choices?: readonly ActChoice[];
  /** What a command takes where nothing is given. */
  readonly preset?: string;
  readonly keyboard?: 'email' | 'numeric';
  /** Under its field. */
  readonly hint?: string;
  /** As its command takes it: an option as `--customer <id>`, or an argument as `<network>`. */
  readonly option: string;
  /** What the command's help says of it. */
  readonly help: string;
}

export type ActInputs = Readonly<Record<string, ActInput>>;

/** The values by the names of the inputs. One that was left out is ''. */
export type ActValues<Inputs extends ActInputs> = {
  readonly [Name in keyof Inputs]: string;
};

/** Nothing in it steers the terminal, or the page, that shows it. */
const PLAIN_LINE = /[\p{C}\p{Zl}\p{Zp}]/u;

/** What is wrong with a text that is not empty; null where nothing is. */
export function problemWith(input: ActInput, text: string): string | null {
  if (text.length > input.lengthMax) {
    return `Enter at most ${String(input.lengthMax)} characters.`;
  }
  if (PLAIN_LINE.test(text)) return 'Enter one line of plain text.';
  const { choices } = input;
  if (choices !== undefined && !choices.some(({ value }) => value === text)) {
    return 'Choose one of the listed values.';
  }
  return input.check?.(text) ?? null;
}

/** Choices whose values are shown and typed as they are. */
export const choicesOf = (values: readonly string[]): readonly ActChoice[] =>
  values.map((value) => ({ value }));

/** Why an operator acts; the audit log keeps it. */
export const REASON: ActInput = {
  ...{ label: 'Reason', what: 'a reason', lengthMax: 500 },
  hint: 'The audit log keeps the text. Do not name an end-user.',
  option: '--reason <text>',
  help: 'why; the audit log keeps it permanently, so do not name a person',
};
