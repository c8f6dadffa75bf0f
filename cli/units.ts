/** A size in bytes as people read it, in powers of 1000, as `docker images` shows it. */
export function bytes(size: number): string {
  return inUnits(size, 1000, ['B', 'kB', 'MB', 'GB', 'TB'])
}

/** A size of memory in bytes as people read it, in powers of 1024, as `docker stats` shows it. */
export function memory(size: number): string {
  return inUnits(size, 1024, ['B', 'KiB', 'MiB', 'GiB', 'TiB'])
}

function inUnits(size: number, base: number, units: readonly string[]): string {
  let power = 0
  while (power < units.length - 1 && size >= base ** (power + 1)) power += 1
  const value = size / base ** power
  return `${value.toFixed(value < 10 && power > 0 ? 1 : 0)} ${units[power]}`
}

/** A length of time in milliseconds as people read it: `840 ms`, `2.4 s`, `3 min 20 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** An RFC 3339 time as `2026-11-21 10:00:05Z`; nothing for nothing. */
export function moment(time: string | null | undefined): string | undefined {
  return time?.replace(/^([\d-]+)T([\d:]+)(\.\d+)?Z$/, '$1 $2Z')
}

/** The first twelve digits of an id, as Docker's own tools show it. */
export function shortId(id: string | null | undefined): string | undefined {
  return id?.replace(/^sha256:/, '').slice(0, 12)
}
