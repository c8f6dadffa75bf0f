import { numberFormat } from './formats.ts'

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** Returns a size with three digits at most: "0 B", "1.5 KiB", "12 MiB", "1,023 MiB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1)
  const value = bytes / 1024 ** power
  const digits = power === 0 || value >= 10 ? 0 : 1
  return `${numberFormat(digits).format(value)} ${units[power]}`
}
