/** Formats a size in bytes in powers of 1000, as `docker images` does. */
export function bytes(size: number): string {
  return inUnits(size, 1000, ['B', 'kB', 'MB', 'GB', 'TB'])
}

/** Formats a memory size in bytes in powers of 1024, as `docker stats` does. */
export function memory(size: number): string {
  return inUnits(size, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB'])
}

function inUnits(size: number, base: number, units: readonly string[]): string {
  let power = 0
  while (power < units.length - 1 && size >= base ** (power + 1)) power += 1
  const value = size / base ** power
  return `${value.toFixed(value < 10 && power > 0 ? 1 : 0)} ${units[power]}`
}

/** Formats a duration in milliseconds: `840 ms`, `2.4 s`, `3 min 20 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** Returns how long something took, or undefined while it runs. Times are RFC 3339. */
export function tookOf(work: { started_at: string; finished_at: string | null }) {
  const { started_at: start, finished_at: end } = work
  return end === null ? undefined : duration(Date.parse(end) - Date.parse(start))
}

/** Formats a duration in milliseconds by its largest unit: `40 s`, `3 min`, `5 h`, `12 d`. */
export function uptime(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h`
  return `${Math.floor(seconds / 86_400)} d`
}

/** Formats a number, or returns undefined if it is not known. */
export const known = (value: number | null, format: (value: number) => string) =>
  value === null ? undefined : format(value)

/** Formats a percentage, as `docker stats` does. */
export const percent = (value: number): string => `${value.toFixed(2)}%`

/** Formats an RFC 3339 time as `2026-11-21 10:00:05Z`. */
export function moment(time: string | null | undefined): string | undefined {
  return time?.replace(/^([\d-]+)T([\d:]+)(\.\d+)?Z$/, '$1 $2Z')
}

/** Returns the first twelve digits of an id, as the `docker` command does. */
export function shortId(id: string | null | undefined): string | undefined {
  return id?.replace(/^sha256:/, '').slice(0, 12)
}
