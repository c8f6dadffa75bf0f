/** The id of the one record. */
export const stateId = 'state'

/**
 * The progress of the sweeps. Hours are counted from the epoch; times are milliseconds since the
 * epoch.
 */
export interface RetentionState {
  id: typeof stateId
  clock: ClockRecord
  /** The last hour that was swept completely. */
  sweptTo: number
  /** When earlier hours were last swept again, which happens once a day. */
  lookedBackAt: number
  /**
   * The scan of the whole store: where it continues or when it ended. Undefined before the first
   * scan.
   */
  scan?: { from?: SweepCursor } | { endedAt: number }
  /** When deployments, texts and runs were last swept. */
  recordsAt: number
}

/** The state of a store that was never swept. */
export const firstState = (clock: ClockRecord): RetentionState => ({
  id: stateId,
  clock,
  lookedBackAt: clock.at,
  recordsAt: 0,
  sweptTo: Math.floor(clock.at / hourMs) - 1,
})

export const hourMs = 3_600_000

/** The history of the clock that the sweeps rely on. Milliseconds. */
export interface ClockRecord {
  /** The latest time that was observed. */
  at: number
  /** How much longer the clock must run without a jump before anything is removed. */
  owed: number
}

/** A position in a scan of the store. Opaque to callers. */
export type SweepCursor = string
