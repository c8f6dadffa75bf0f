import type { ContainerRun } from '../../records/container.ts'
import type { EngineUptime } from '../../records/host-engine.ts'
import type { ContainerStop } from '../../records/host-stops.ts'
import type { ContainerFacts, ServiceFacts } from '../service-state.ts'

/** Changes of a sample container. */
export interface ContainerSampleOptions extends Partial<Omit<ContainerFacts, 'run'>> {
  policy?: string
  restarts?: number
  startError?: string | null
  outOfMemory?: boolean
  finishedAt?: string | null
  healthOutput?: string
}

/** Returns the details of a container without a restart policy that is in its first run. */
export const runSample = (more: Partial<ContainerRun> = {}): ContainerRun => ({
  id: 'c1',
  image: 'busybox:latest',
  startedAt: '2026-11-23T10:00:00Z',
  finishedAt: null,
  restarts: 0,
  restartPolicy: 'no',
  startError: null,
  outOfMemory: false,
  ...more,
})

/**
 * Returns a container that has been running for a minute. With `restarts`, its policy started it,
 * so that it must be up for 10 s.
 */
export function containerSample(options: ContainerSampleOptions = {}): ContainerFacts {
  const { policy = 'no', restarts = 0, startError = null, outOfMemory = false, ...facts } = options
  const { finishedAt = null, state = 'running', healthOutput, ...more } = facts
  const ended = { restarts, startError, outOfMemory, finishedAt, restartPolicy: policy }
  const run = runSample({ ...ended, ...(healthOutput !== undefined && { healthOutput }) })
  const upSeconds = state === 'running' || state === 'paused' ? 60 : null
  const settlingTime = restarts > 0 ? 10 : 0
  const base = { state, health: null, exitCode: null, upSeconds, settlingTime, run, stop: null }
  return { ...base, ...more }
}

/** Returns a container that ended with an exit code. */
export const endedSample = (exitCode: number, options: ContainerSampleOptions = {}) =>
  containerSample({ state: 'exited', exitCode, ...options })

/** Returns a service that should have as many containers as are given, on an old Engine. */
export const serviceSample = (
  containers: readonly ContainerFacts[],
  more: Partial<ServiceFacts> = {},
): ServiceFacts => ({
  expected: containers.length,
  isJob: false,
  containers,
  isDeploying: false,
  isStopped: false,
  engine: oldEngine,
  ...more,
})

/** An Engine that has run for an hour. */
export const oldEngine: EngineUptime = {
  startedAt: Date.parse('2026-11-23T09:00:00Z'),
  age: 3_600_000,
}

/** An Engine that started half a minute ago. */
export const youngEngine: EngineUptime = {
  startedAt: Date.parse('2026-11-23T12:00:00Z'),
  age: 30_000,
}

/** Returns a stop by a user of this service, or, with null, on the host. */
export const stopSample = (by: string | null = 'mia'): ContainerStop => ({
  startedAt: '2026-11-23T10:00:00Z',
  by,
  at: Date.parse('2026-11-23T14:02:00Z'),
})
