import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { startOwnStore } from '../harness/own-store.ts'
import { bytesOf, soak } from './growth.ts'

/**
 * `npm run soak`: lets days pass on the service's clock (70 unless given, about 14 minutes) over a
 * real store, prints the rows by kind and the estimate for a year, and ends with 1 when a kind
 * grows without a bound.
 */
async function main(days: number): Promise<void> {
  const own = await startOwnStore()
  try {
    const options = { days, samplesPerHour: 1, sampleEvery: 4 }
    const result = await soak(own, {
      ...options,
      onDay: (day, counts, bytes) =>
        console.log(`day ${day}: ${bytes} bytes, ${JSON.stringify(counts)}`),
    })
    const { half, end } = result
    console.log('\n| kind | rows, half way | rows, end |\n|---|---:|---:|')
    for (const [kind, count] of Object.entries(end.counts).sort()) {
      console.log(`| ${kind} | ${half.counts[kind] ?? 0} | ${count} |`)
    }
    const year = ((end.bytes - half.bytes) / (end.day - half.day)) * 365
    console.log(`\nThe database grew by ${perYear(year)} a year between the two.`)
    await own.store.stop()
    vacuum(own.directory)
    if (result.growing.length > 0) console.error(`grows: ${result.growing.join(', ')}`)
    process.exitCode = result.growing.length > 0 || result.warnings.length > 0 ? 1 : 0
  } finally {
    await own.remove()
  }
}

const perYear = (bytes: number) => `${Math.round(bytes / 1e5) / 10} MB`

/** Says what VACUUM gives back, where there is a `sqlite3`. */
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
