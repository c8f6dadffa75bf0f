import type { Needs } from '../ports/ports.ts'
import { hourMs, type RetentionState } from '../records/retention-state.ts'

export type SweepPorts = Needs<'expiredItems' | 'clock'>

/**
 * Milliseconds after its expiry before an item is removed, because the clocks of processes differ.
 */
export const expiredFor = hourMs
/**
 * Items removed between two pauses, and the milliseconds of a pause. The pauses leave the store
 * free for requests.
 */
const stepMax = 25
const pause = 50
/** Items removed in one run. The next run continues. */
const runMax = 5_000
/**
 * How many earlier hours are swept again each time, and how many once a day: a process with a slow
 * clock writes into past hours.
 */
const again = 2
const againDaily = 7 * 24
/** Pages scanned in one run. */
const pagesMax = 100
/** Milliseconds between the end of a scan and the start of the next one. */
const scanEvery = 7 * 24 * hourMs

/**
 * Removes items that expired more than an hour ago, hour by hour, and returns the new state. Stops
 * early if the signal is aborted or the limit of one run is reached; the next run continues.
 */
export async function sweepExpired(
  state: RetentionState,
  ports: SweepPorts,
  signal: AbortSignal,
): Promise<RetentionState> {
  const { expiredItems, clock } = ports
  const before = clock.now() - expiredFor
  const last = Math.floor(before / hourMs)
  // A clock that was ahead and is right again leaves a time in the future.
  const daily = Math.abs(clock.now() - state.lookedBackAt) >= 24 * hourMs
  const first = Math.min(state.sweptTo, last) - (daily ? againDaily : again)
  const remove = removing(ports, signal)
  await remove((limit) => expiredItems.removeDeliveries(before, limit))
  let sweptTo = first
  for (let hour = first; hour <= last && !remove.isOver(); hour += 1) {
    await remove((limit) => expiredItems.removeHour(hour, before, limit))
    if (!remove.isOver()) sweptTo = hour
  }
  if (remove.isOver()) return { ...state, sweptTo }
  return { ...state, sweptTo, lookedBackAt: daily ? clock.now() : state.lookedBackAt }
}

/**
 * Repeats a removal until it finds nothing more or the limit of one run is reached, with pauses.
 */
function removing({ clock }: SweepPorts, signal: AbortSignal) {
  let left = runMax
  const isOver = () => signal.aborted || left <= 0
  const remove = async (step: (limit: number) => Promise<number>) => {
    while (!isOver()) {
      const removed = await step(stepMax)
      left -= removed
      // Fewer than asked for can be removed while more are there: the index may be a moment behind.
      if (removed === 0) return
      await clock.sleep(pause, signal)
    }
  }
  return Object.assign(remove, { isOver })
}

/** Returns whether the scan of the whole store is under way or due. */
export function isScanDue({ scan }: RetentionState, now: number): boolean {
  return !scan || !('endedAt' in scan) || Math.abs(now - scan.endedAt) >= scanEvery
}

/**
 * Continues or begins the scan of the whole store, for a limited number of pages, and returns the
 * new state. Scans repeat, because during an upgrade a process of an earlier version may still
 * write items that are not findable by hour.
 */
export async function scanStore(
  state: RetentionState,
  { expiredItems, clock }: SweepPorts,
  signal: AbortSignal,
): Promise<RetentionState> {
  let from = state.scan && 'from' in state.scan ? state.scan.from : undefined
  for (let pages = 0; pages < pagesMax && !signal.aborted; pages += 1) {
    from = await expiredItems.scanPage(from, clock.now() - expiredFor)
    if (from === undefined) return { ...state, scan: { endedAt: clock.now() } }
    await clock.sleep(pause, signal)
  }
  return { ...state, scan: from === undefined ? {} : { from } }
}
