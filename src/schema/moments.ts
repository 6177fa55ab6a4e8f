/** The day asked about last: times of one session follow one another. */
let day = 'none';
let begun = Number.NaN;

/** Milliseconds since 1970, as `Date.parse` has them, for times as agents write them (`2026-11-18T07:30:00.000Z`) without parsing each. */
export function momentOf(time: string): number {
  if (time.length !== 24 || time[13] !== ':' || time[16] !== ':' || time[19] !== '.' || time[23] !== 'Z')
    return Date.parse(time);
  if (!time.startsWith(day)) {
    // The `T` is of it: there are other letters that may stand there, or may not.
    day = time.slice(0, 11);
    begun = Date.parse(`${day}00:00:00.000Z`);
  }
  const hours = digit(time, 11) * 10 + digit(time, 12);
  const minutes = digit(time, 14) * 10 + digit(time, 15);
  const seconds = digit(time, 17) * 10 + digit(time, 18);
  const milliseconds = digit(time, 20) * 100 + digit(time, 21) * 10 + digit(time, 22);
  const moment = begun + ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds;
  // Of 24:00 there is only the beginning.
  return hours < 24 && minutes < 60 && seconds < 60 && !Number.isNaN(moment) ? moment : Date.parse(time);
}

function digit(time: string, place: number): number {
  const code = time.charCodeAt(place) - 48;
  return code >= 0 && code <= 9 ? code : Number.NaN;
}
