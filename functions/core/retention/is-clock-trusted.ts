import type { Needs } from '../ports.ts'
import { stateId } from './state.ts'
import { isTrusted, observeClock } from './trusted-clock.ts'

/**
 * Returns whether the clock may decide what is removed, by the record that the sweeps keep. A jump
 * that no sweep has seen yet counts too.
 */
export async function isClockTrusted({
  retentionStates,
  clock,
}: Needs<'retentionStates' | 'clock'>): Promise<boolean> {
  const found = await retentionStates.find(stateId)
  return isTrusted(observeClock(found?.clock, clock.now()))
}
