/** What a process exports: each series, by its name with labels, and the names that it declares. */
export interface Scrape {
  readonly text: string;
  /** Of metrics, without `_bucket`, `_sum` and `_count`. */
  readonly names: ReadonlySet<string>;
  /** The sum of all series whose text contains each of the parts; NaN where there is none. */
  sum(name: string, ...parts: readonly string[]): number;
}

export function readScrape(text: string): Scrape {
  const lines = text.split('\n');
  const names = lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.[1] ?? []);
  const series = lines.flatMap((line) => {
    const [, name = '', labels = '', value = ''] =
      /^([a-zA-Z_:][\w:]*)(\{[^}]*\})? (\S+)$/.exec(line) ?? [];
    return name === '' ? [] : [{ name, labels, value: Number(value) }];
  });
  return {
    text,
    names: new Set(names),
    sum(wanted, ...parts) {
      const found = series.filter(
        ({ name, labels }) => name === wanted && parts.every((part) => labels.includes(part)),
      );
      return found.length === 0 ? NaN : found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

export async function scrape(url: string): Promise<Scrape> {
  const answer = await fetch(`${url}/metrics`);
  if (!answer.ok) throw new Error(`${url}/metrics: ${String(answer.status)}`);
  return readScrape(await answer.text());
}
