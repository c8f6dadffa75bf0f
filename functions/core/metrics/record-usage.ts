import type { Needs, Ports } from '../ports/ports.ts'
import { thinUsage } from './thin-usage.ts'
import { addSample, noMinutes, type UsageMinutes, type UsageSample } from './usage-minutes.ts'
import { expiryOf } from './usage-points.ts'

/** What the recording of one sample passes to that of the next one. */
export interface UsageState {
  minutes: UsageMinutes
  /** Up to when this process thinned the points; undefined before it did. */
  thinnedTo: number | undefined
}

type RecordPorts = Needs<'usageHistory' | 'clock' | 'random'> & {
  settings: Pick<Ports['settings'], 'get'>
}

/**
 * Adds a sample of a host to its history, and returns what to pass on. Only the process with the
 * lease of the host may call it. It writes once a minute, and more every ten minutes: what a killed
 * process had not written is less than a minute.
 */
export async function recordUsage(
  hostId: string,
  sample: UsageSample,
  before: UsageState | undefined,
  ports: RecordPorts,
): Promise<UsageState> {
  const thinnedTo = before?.thinnedTo
  const minutes = before?.minutes ?? noMinutes
  const { next, closed } = addSample(minutes, sample, () => ports.random.id())
  if (!closed) return { minutes: next, thinnedTo }
  const days = (await ports.settings.get())['metrics.history_days']
  // What was recorded before expires.
  if (days === 0) return { minutes: { ...next, block: undefined }, thinnedTo: undefined }
  await ports.usageHistory.put(hostId, closed, expiryOf(closed, days))
  return { minutes: next, thinnedTo: await thinUsage(hostId, thinnedTo, days, ports) }
}
