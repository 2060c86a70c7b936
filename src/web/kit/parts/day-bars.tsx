/** One day: as long as its share of the longest, and what is said of it. */
interface DayBar {
  readonly name: string;
  readonly value: bigint;
  /** The value as it is read out and shown. */
  readonly text: string;
}

const WIDTH = 600;
const HEIGHT = 100;
const GAP = 4;
/** A day with anything at all is seen. */
const LEAST = 2;
/** Heights are counted in thousandths: shares of whole numbers, exactly. */
const SHARES = 1_000n;

/**
 * A bar a day, oldest first. The picture is for the eye: its label says what it shows, and the same figures
 * stand in a table that is opened by keyboard as well.
 */
export const DayBars = (props: {
  /** What it shows, in a sentence with its ends: "Payments a day, at the most 41". */
  readonly label: string;
  /** What the values are, as a heading of the table. */
  readonly unit: string;
  readonly bars: readonly DayBar[];
}) => {
  const { bars } = props;
  const most = bars.reduce((top, { value }) => (value > top ? value : top), 1n);
  const step = WIDTH / Math.max(bars.length, 1);
  return (
    <div class="bars">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={props.label}>
        {bars.map(({ name, value, text }, index) => {
          const share = (Number((value * SHARES) / most) * HEIGHT) / Number(SHARES);
          const height = value === 0n ? 0 : Math.max(share, LEAST);
          return (
            <rect
              key={name}
              x={Math.round(index * step)}
              y={HEIGHT - height}
              width={Math.max(Math.round(step) - GAP, 1)}
              height={height}
              rx="2"
            >
              <title>{`${name}: ${text}`}</title>
            </rect>
          );
        })}
      </svg>
      <details>
        <summary>As a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              <th scope="col" class="number">
                {props.unit}
              </th>
            </tr>
          </thead>
          <tbody>
            {[...bars].reverse().map(({ name, text }) => (
              <tr key={name}>
                <td>{name}</td>
                <td class="number">{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  );
};
