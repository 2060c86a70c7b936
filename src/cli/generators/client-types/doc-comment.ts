const COLUMNS = 120;

/** A doc comment of the text at an indentation, with its line end; nothing where there is no text. */
export function docComment(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return '';
  const safe = text.replaceAll('*/', '* /');
  const short = `${indent}/** ${safe} */`;
  if (!safe.includes('\n') && short.length <= COLUMNS) return `${short}\n`;
  const width = COLUMNS - indent.length - 3;
  const lines = safe.split('\n').flatMap((line) => wrap(line, width));
  const body = lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('');
  return `${indent}/**\n${body}${indent} */\n`;
}

/** The words of a line on lines of at most the width. */
export function wrap(line: string, width: number): string[] {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
