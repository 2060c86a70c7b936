/** A server closes connections that rest, and one may be closed just as an order is sent on it. */
const TRIES_MAX = 3;

/** Gives an order to a sandbox, and again where it stayed silent: every order may be repeated, and is carried out once. */
export async function untilAnswered<Answer>(
  give: () => Promise<Answer>,
  isSilence: (answer: Answer) => boolean,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await give();
    if (tries === TRIES_MAX || !isSilence(answer)) return answer;
  }
}
