import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Table } from '../../adapters/store/table.ts'
import type { OwnStore } from '../harness/own-store.ts'
import { type Counts, countRows, growing } from './kinds.ts'
import { simulatedService } from './simulated-service.ts'

export interface SoakOptions {
  /** Days that pass on the service's clock. */
  days: number
  /** Samples of each host per sampled hour, and the hours from one sampled hour to the next. */
  samplesPerHour: number
  sampleEvery: number
  /** Called after each day. */
  onDay?: (day: number, counts: Counts, bytes: number) => void
  /** Runs along with the activity of each day, for example to write additional rows. */
  beside?: (items: Table, day: number, now: number) => Promise<void>
  /** Hours at the end with the service's real sampling rate, one sample every 15 seconds. */
  fullRateHours?: number
}

/** Samples of each host per hour at the service's real rate. */
const fullRate = 240

export interface SoakResult {
  /** The kinds that grew without bound. */
  growing: string[]
  half: { day: number; counts: Counts; bytes: number }
  end: { day: number; counts: Counts; bytes: number }
  /** Audit rows by action at the end. */
  actions: Record<string, number>
  /** The state after the hours at the full rate, or the state at the end without such hours. */
  sampled: { day: number; counts: Counts; bytes: number }
  /** Warnings and errors in the service's log. */
  warnings: unknown[]
}

const hour = 3_600_000

/**
 * Lets days pass on the service's clock and counts the rows of the store halfway and at the end.
 */
export async function soak(own: OwnStore, options: SoakOptions): Promise<SoakResult> {
  const home = await simulatedService(own)
  const count = async (day: number) => ({
    day,
    counts: await countRows(home.tables),
    bytes: bytesOf(own.directory),
  })
  let half = await count(0)
  try {
    for (let day = 1; day <= options.days; day += 1) {
      await options.beside?.(home.tables[0], day, home.clock.now())
      await oneDay(home, options)
      const known = options.onDay || day === Math.ceil(options.days / 2) ? await count(day) : half
      options.onDay?.(day, known.counts, known.bytes)
      if (day === Math.ceil(options.days / 2)) half = known
    }
    const end = await count(options.days)
    const actions = await home.auditActions()
    for (let at = 0; at < (options.fullRateHours ?? 0); at += 1) await sampledHour(home)
    const sampled = await count(options.days)
    const warnings = home.log.lines.filter(({ level }) => level !== 'info')
    return { growing: growing(half, end), half, end, actions, sampled, warnings }
  } finally {
    home.close()
  }
}

/** An hour at the full sampling rate, with a sweep every ten minutes. */
async function sampledHour(home: Awaited<ReturnType<typeof simulatedService>>) {
  for (let sample = 1; sample <= fullRate; sample += 1) {
    await home.sample()
    home.clock.advance(hour / fullRate)
    if (sample % (fullRate / 6) === 0) await home.sweep()
  }
}

async function oneDay(
  home: Awaited<ReturnType<typeof simulatedService>>,
  { samplesPerHour: samples, sampleEvery }: SoakOptions,
) {
  for (let at = 0; at < 24; at += 1) {
    const token = at % 12 === 0 ? await home.visit() : undefined
    if (token && at % 12 === 0) await home.work(token)
    for (let sample = 0; sample < samples; sample += 1) {
      if (at % sampleEvery === 0) await home.sample()
      home.clock.advance(hour / samples)
    }
    await home.sweep()
  }
}

/** Returns the size of the store's database in bytes. */
export function bytesOf(directory: string): number {
  const files = readdirSync(directory).filter((name) => name.endsWith('.db'))
  return files.reduce((all, name) => all + statSync(join(directory, name)).size, 0)
}
