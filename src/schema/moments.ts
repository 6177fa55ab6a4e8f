/** The minute asked about last: times of one session follow one another. */
let minute = 'none';
let begun = Number.NaN;

/** Milliseconds since 1970, as `Date.parse` has them, for times as agents write them (`2026-11-18T07:30:00.000Z`) without parsing each. */
export function momentOf(time: string): number {
  if (time.length !== 24 || time[16] !== ':' || time[19] !== '.' || time[23] !== 'Z') return Date.parse(time);
  if (!time.startsWith(minute)) {
    minute = time.slice(0, 16);
    // Of 24:00 there is only the beginning.
    begun = Date.parse(`${minute}:59.999Z`) - 59_999;
  }
  const seconds = digit(time, 17) * 10 + digit(time, 18);
  const milliseconds = digit(time, 20) * 100 + digit(time, 21) * 10 + digit(time, 22);
  const moment = seconds < 60 ? begun + seconds * 1000 + milliseconds : Number.NaN;
  return Number.isNaN(moment) ? Date.parse(time) : moment;
}

function digit(time: string, place: number): number {
  const code = time.charCodeAt(place) - 48;
  return code >= 0 && code <= 9 ? code : Number.NaN;
}
