import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import { firstState, type RetentionState, stateId } from '../records/retention-state.ts'
import { type DeploymentPorts, sweepDeployments } from './sweep-deployments.ts'
import { isScanDue, type SweepPorts, scanStore, sweepExpired } from './sweep-expired.ts'
import { type RunPorts, sweepRuns } from './sweep-runs.ts'
import { sweepTexts, type TextSweepPorts } from './sweep-texts.ts'
import { isTrusted, observeClock } from './trusted-clock.ts'

export type RetentionPorts = SweepPorts &
  DeploymentPorts &
  TextSweepPorts &
  RunPorts &
  Needs<'retentionStates' | 'audit' | 'leases' | 'background' | 'log'>

/** Milliseconds between two sweeps of deployments, texts and runs. */
const recordsEvery = 12 * 3_600_000

/**
 * Removes expired items and records beyond their retention. Only one process does so at a time, and
 * the next run continues where it stops. Never rejects: failures are logged and retried.
 */
export async function sweepStore(ports: RetentionPorts, signal: AbortSignal): Promise<void> {
  try {
    const holder = `${ports.background.processId}/retention`
    const lease = await ports.leases.acquire('retention', holder, leaseTime)
    if (lease)
      await withLeaseRenewal(lease, signal, ports, (held) => sweepUnderLease(ports, held.signal))
  } catch (error) {
    if (!signal.aborted) ports.log.warn('expired records could not be removed', { error })
  }
}

async function sweepUnderLease(ports: RetentionPorts, signal: AbortSignal): Promise<void> {
  const { retentionStates, clock, log } = ports
  let state = await observed(ports)
  if (!state) return
  if (!isTrusted(state.clock)) {
    const minutes = Math.ceil(state.clock.owed / 60_000)
    log.warn('removal of expired records is paused: the clock jumped or the service was down', {
      minutes,
    })
    return
  }
  const save = async (next: RetentionState) => {
    const saved = state && (await retentionStates.replace({ ...next, revision: state.revision }))
    if (!saved) throw new Error('another process is sweeping')
    state = saved
  }
  await save(await sweepExpired(state, ports, signal))
  if (isScanDue(state, clock.now())) await save(await scanStore(state, ports, signal))
  const isDue = Math.abs(clock.now() - state.recordsAt) >= recordsEvery
  if (!isDue || signal.aborted) return
  await sweepRecords(ports, signal)
  if (!signal.aborted) await save({ ...state, recordsAt: clock.now() })
}

/** Sweeps the records. Deployments first, because removing them leaves texts unused. */
async function sweepRecords(ports: RetentionPorts, signal: AbortSignal): Promise<void> {
  const deployments = await sweepDeployments(ports, signal)
  const runs = await sweepRuns(ports, signal)
  const texts = await sweepTexts(ports, signal)
  await ports.audit.finishTrim()
  if (deployments + runs + texts === 0) return
  ports.log.info('records beyond their retention were removed', { deployments, runs, texts })
}

/**
 * Stores and returns the state with the current time; undefined if another process wrote it in the
 * meantime.
 */
async function observed(ports: RetentionPorts): Promise<Stored<RetentionState> | undefined> {
  const { retentionStates, clock } = ports
  const found = await retentionStates.find(stateId)
  const record = observeClock(found?.clock, clock.now())
  if (found) return retentionStates.replace({ ...found, clock: record })
  await retentionStates.create(firstState(record))
  return retentionStates.find(stateId)
}
