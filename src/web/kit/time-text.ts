/** Tells moments in one time zone. */
export interface TimeText {
  /** IANA's name of the zone. */
  readonly zone: string;
  /** "2026-11-22 14:02:10". */
  moment(at: Date): string;
  /** "14:02:10.412" on the same day as another moment, the date before it on any other. */
  clock(at: Date, sameDayAs: Date): string;
}

const made = new Map<string, Intl.DateTimeFormat>();
/** IANA has some 600 names. */
const ZONES_MAX = 1_000;

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = made.get(zone);
  if (known !== undefined) return known;
  // Sweden writes dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone: zone, hourCycle: 'h23' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  });
  if (made.size < ZONES_MAX) made.set(zone, format);
  return format;
}

/** By the name of a time zone; UTC where the runtime does not know it. */
export function timeText(zone: string): TimeText {
  let format: Intl.DateTimeFormat;
  try {
    format = formatOf(zone);
  } catch {
    return timeText('UTC');
  }
  const moment = (at: Date): string => format.format(at).replace(',', '');
  return {
    zone,
    moment,
    clock(at, sameDayAs) {
      const [day = '', time = ''] = moment(at).split(' ');
      const precise = `${time}.${String(at.getUTCMilliseconds()).padStart(3, '0')}`;
      return moment(sameDayAs).startsWith(day) ? precise : `${day} ${precise}`;
    },
  };
}
