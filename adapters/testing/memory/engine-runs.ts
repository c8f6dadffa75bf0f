import type { ContainerRun } from '../../../functions/core/records/container.ts'
import type { EngineUptime, ReportedStop } from '../../../functions/core/records/host-engine.ts'
import { healthCheckOf } from '../../docker/containers/health-check.ts'
import type { EngineState, MemoryContainer } from './engine-state.ts'

/** Returns the details of a container that lists do not include. */
export function runOf(container: MemoryContainer): ContainerRun {
  const { id, image, startedAt, finishedAt, restarts, startError, outOfMemory } = container
  const restartPolicy = policyOf(container)
  const times = { startedAt, finishedAt }
  const run = { id, image, ...times, restarts, restartPolicy, startError, outOfMemory }
  const healthCheck = healthCheckOf(
    container.body.Healthcheck as Parameters<typeof healthCheckOf>[0],
  )
  return healthCheck ? { ...run, healthCheck } : run
}

/** Returns the restart policy of a container, `no` by default. */
export function policyOf({ body }: MemoryContainer): string {
  const { RestartPolicy = {} } = (body.HostConfig ?? {}) as { RestartPolicy?: { Name?: string } }
  return RestartPolicy.Name || 'no'
}

/** Returns the stops in the events of an Engine that no start follows. */
export function stopsOf({ events }: EngineState): ReadonlyMap<string, ReportedStop> {
  const stops = new Map<string, ReportedStop>()
  for (const { kind, subject, time } of events) {
    if (kind === 'container.stop') stops.set(subject.id, { at: Date.parse(time), isRecent: false })
    if (kind === 'container.start' || kind === 'container.destroy') stops.delete(subject.id)
  }
  return stops
}

/** Returns the containers whose last start in the events followed an end without a stop. */
export function restartedOf({ events }: EngineState): ReadonlySet<string> {
  const last = new Map<string, 'die' | 'restart' | 'other'>()
  for (const { kind, subject } of events) {
    if (kind === 'container.die') last.set(subject.id, 'die')
    else if (kind === 'container.start') {
      last.set(subject.id, last.get(subject.id) === 'die' ? 'restart' : 'other')
    } else if (kind === 'container.stop' || kind === 'container.destroy') {
      last.set(subject.id, 'other')
    }
  }
  return new Set([...last].flatMap(([id, action]) => (action === 'restart' ? [id] : [])))
}

export function uptimeOf(state: EngineState): EngineUptime {
  const { startedAt } = state
  return { startedAt, age: Date.parse(state.now()) - startedAt }
}
