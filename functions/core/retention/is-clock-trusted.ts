import type { Needs } from '../ports/ports.ts'
import { stateId } from '../records/retention-state.ts'
import { isTrusted, observeClock } from './trusted-clock.ts'

/**
 * Returns whether removals may rely on the clock, by the record that the sweeps keep. Also counts a
 * jump that no sweep has seen yet.
 */
export async function isClockTrusted({
  retentionStates,
  clock,
}: Needs<'retentionStates' | 'clock'>): Promise<boolean> {
  const found = await retentionStates.find(stateId)
  return isTrusted(observeClock(found?.clock, clock.now()))
}
