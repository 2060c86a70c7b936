import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';

const EXIT_USAGE = 2;

/** Where a command line writes: help to `out`, what is wrong with the command line to `error`. */
export interface CommandOutput {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** A program that writes nowhere else and ends no process. */
export const createCommandProgram = (name: string, output: CommandOutput) =>
  new Command(name)
    .exitOverride()
    .configureOutput({ writeOut: output.out, writeErr: output.error });

/**
 * Runs what a command line asks a program for. Answers null once that has run, else the exit code: 0 for
 * help, 2 where the command line is wrong (what is wrong was then written). Throws what the command throws.
 */
export async function runCommandProgram(
  program: CommandUnknownOpts,
  args: readonly string[],
): Promise<number | null> {
  try {
    await program.parseAsync(args, { from: 'user' });
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : EXIT_USAGE;
  }
}
