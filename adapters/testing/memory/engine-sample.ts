import { containerNumber } from '../../../functions/core/metrics/usage-key.ts'
import type { ContainerSample, ContainerUsage } from '../../../functions/core/records/container.ts'
import { runOf } from './engine-runs.ts'
import { type EngineState, labelsOf, summaryOf } from './engine-state.ts'

/**
 * Returns a sample of each container. Running containers have typical resource usage unless the
 * test overrides it.
 */
export function sample(state: EngineState): ContainerSample[] {
  return [...state.containers.values()].map((container) => {
    const { id, name, health, exitCode, createdAt, restarts } = container
    const { stack, service, upSeconds } = summaryOf(state, container)
    const labels = labelsOf(container.body)
    const number = containerNumber(labels)
    const oneoff = labels['com.docker.compose.oneoff'] === 'True'
    const isRunning = container.state === 'running'
    const usage = isRunning ? { ...typicalUsage, ...state.usage.get(name) } : null
    const about = { id, name, stack, service, number, oneoff, state: container.state }
    const run = runOf(container)
    return { ...about, health, upSeconds, exitCode, createdAt, run, restarts, usage }
  })
}

/** The default resource usage of a container. */
export const typicalUsage: ContainerUsage & { cpuPercent: number } = {
  cpuPercent: 12.5,
  memory: 10_485_760,
  memoryLimit: 104_857_600,
  memoryPercent: 10,
  networkRx: 1000,
  networkTx: 2000,
  blockRead: 4096,
  blockWrite: 8192,
  pids: 1,
}
