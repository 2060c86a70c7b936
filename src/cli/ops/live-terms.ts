import { summaryOf } from '../../modules/operations/acts/written-out-acts.ts';
import { readFileSync } from 'node:fs';
import { Option } from '@commander-js/extra-typings';
import { publishLiveTerms } from '../../modules/customers/live/live-terms.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { AddCommands } from './command-context.ts';
import { operatorOption, reasonOption } from './option-values.ts';

const CHARACTERS_MAX = 200_000;

/** `terms publish`: what customers accept before they go live. */
export const addTermsCommands: AddCommands = (program, context) => {
  program
    .command('terms')
    .description('terms of live access')
    .command('publish')
    .description(summaryOf('terms publish'))
    .addOption(new Option('--file <path>', 'plain text, UTF-8').makeOptionMandatory())
    .addOption(reasonOption())
    .addOption(operatorOption(context))
    .action(({ file, ...act }) =>
      context.run(async (deps) => {
        const version = await publishLiveTerms(deps, readTerms(file), act);
        deps.print(`Published terms version ${String(version)}.`);
        return 0;
      }),
    );
};

/** The text of a file. Throws PlainError where it is no text that can be shown as it is. */
function readTerms(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new PlainError(`${path} cannot be read.`);
  }
  const text = bytes.toString('utf8').replaceAll('\r\n', '\n').trim();
  const isText = Buffer.from(bytes.toString('utf8')).equals(bytes) && !/[^\P{Cc}\n\t]/u.test(text);
  if (!isText) throw new PlainError(`${path} is not plain text in UTF-8.`);
  if (text === '' || text.length > CHARACTERS_MAX) {
    throw new PlainError(`${path} must have 1 to ${String(CHARACTERS_MAX)} characters.`);
  }
  return text;
}
