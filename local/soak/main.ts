import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { startOwnStore } from '../harness/own-store.ts'
import { bytesOf, soak } from './growth.ts'
import type { Counts } from './kinds.ts'

/**
 * `npm run soak`: lets days pass on the service's clock (70 by default, about 14 minutes) over a
 * real store. Prints the rows by kind and an estimate for a year. Exits with 1 if a kind grows
 * without bound.
 */
async function main(days: number): Promise<void> {
  const own = await startOwnStore()
  try {
    const seen: { day: number; counts: Counts; bytes: number }[] = []
    const result = await soak(own, {
      days,
      samplesPerHour: 1,
      sampleEvery: 4,
      fullRateHours: 3,
      onDay(day, counts, bytes) {
        console.log(`day ${day}: ${bytes} bytes`)
        if ([7, 14, Math.ceil(days / 2), days].includes(day)) seen.push({ day, counts, bytes })
      },
    })
    const { half, end, sampled, actions } = result
    printRows(seen)
    console.log(`\nAudit rows by action: ${JSON.stringify(actions)}`)
    console.log(`After three hours of all samples: ${sampled.bytes} bytes,`)
    console.log(`${sampled.counts.metrics} rows of samples.`)
    const year = ((end.bytes - half.bytes) / Math.max(1, end.day - half.day)) * 365
    console.log(`\nThe database grew by ${perYear(year)} a year between the two.`)
    await own.store.stop()
    vacuum(own.directory)
    if (result.growing.length > 0) console.error(`grows: ${result.growing.join(', ')}`)
    process.exitCode = result.growing.length > 0 || result.warnings.length > 0 ? 1 : 0
  } finally {
    await own.remove()
  }
}

/** Prints the rows of each kind, one column per day. */
function printRows(seen: { day: number; counts: Counts; bytes: number }[]): void {
  const row = (cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)
  row(['kind', ...seen.map(({ day }) => `day ${day}`)])
  row(['---', ...seen.map(() => '---:')])
  const kinds = new Set(seen.flatMap(({ counts }) => Object.keys(counts)))
  for (const kind of [...kinds].sort()) row([kind, ...seen.map((at) => at.counts[kind] ?? 0)])
  row(['bytes on disk', ...seen.map(({ bytes }) => bytes)])
}

const perYear = (bytes: number) => `${Math.round(bytes / 1e5) / 10} MB`

/** Prints how much VACUUM frees, if `sqlite3` is installed. */
function vacuum(directory: string): void {
  const [file] = readdirSync(directory).filter((name) => name.endsWith('.db'))
  const before = bytesOf(directory)
  try {
    execFileSync('sqlite3', [join(directory, file ?? ''), 'VACUUM'])
    console.log(`VACUUM: ${before} bytes before, ${bytesOf(directory)} after.`)
  } catch {
    console.log('VACUUM: no sqlite3 here.')
  }
}

await main(Number(process.argv[2] ?? 70))
