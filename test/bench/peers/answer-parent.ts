import type { Question, Reply } from './program.ts';

/** Called by a program: answers what the bench asks it, and ends when the bench is gone. */
export function answerParent(answers: Readonly<Record<string, (input: never) => unknown>>): void {
  process.on('message', (message) => {
    void reply(message as Question);
  });
  process.once('disconnect', () => process.exit(0));

  async function reply({ id, name, input }: Question): Promise<void> {
    const send = (answer: Reply) => process.send?.(answer);
    try {
      if (name === 'ready') return void send({ id, result: null });
      const answer = answers[name];
      if (answer === undefined) throw new Error(`it is not asked for "${name}"`);
      send({ id, result: await answer(input as never) });
    } catch (error) {
      send({
        id,
        failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  }
}
