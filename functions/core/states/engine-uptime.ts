import { ignoreFailure } from '../ignore-error.ts'
import type { Engine } from '../ports/engine.ts'
import type { ContainerRun } from '../records/container.ts'
import type { EngineUptime } from '../records/host-engine.ts'
import { alwaysRestarts } from './ending.ts'

/** A container, as far as it depends on the uptime of its Engine. */
interface Dependent {
  state: string
  run: ContainerRun | null
}

/** Returns the uptime of an Engine if it decides on how any of these containers ended. */
export async function uptimeFor(
  containers: readonly Dependent[],
  engine: Engine,
): Promise<EngineUptime | null> {
  const depends = ({ state, run }: Dependent) =>
    state === 'exited' && run !== null && alwaysRestarts(run)
  if (!containers.some(depends)) return null
  return (await engine.uptime().catch(ignoreFailure('read the uptime of an Engine'))) ?? null
}
