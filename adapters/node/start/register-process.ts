import {
  forgetRemovedProcesses,
  registerProcess,
} from '../../../functions/core/owners/installation-records.ts'
import type { Engine } from '../../../functions/core/ports/engine.ts'
import type { Needs } from '../../../functions/core/ports/ports.ts'
import type { ServiceProcess } from '../../../functions/core/records/installation.ts'

/**
 * Completes the record of this process with the Engine of its machine, and forgets containers that
 * were removed from it. Logs what leaves the service less protected than it could be.
 *
 * @param self changed in place, because the readers of the records have it
 */
export async function completeRegistration(
  self: ServiceProcess,
  localHost: string,
  ports: Needs<'engines' | 'log' | 'serviceProcesses'>,
): Promise<void> {
  if (self.container === 'unknown') ports.log.warn(...unknownContainer)
  const engine = await ports.engines.on(localHost)
  const [info, containers] = await Promise.all([engine.info(), engine.containers({ all: true })])
  self.engineId = info.id
  await registerProcess(self, ports)
  const existing = new Set(containers.map(({ id }) => id))
  await forgetRemovedProcesses(self, existing, ports)
  await warnOfOpenStore(engine, ports)
}

const unknownContainer = [
  'the service runs in a container and cannot find which',
  {
    hint: 'until it can, it refuses to enter, copy and change each container that has its data directory or the socket of the Engine',
  },
] as const

/** Containers of others that share a network with the store can read and change every record. */
async function warnOfOpenStore(engine: Engine, { log }: Needs<'log'>): Promise<void> {
  const [{ networks, projects }, all] = await Promise.all([
    engine.installation(),
    engine.networks(),
  ])
  const others = all.filter(({ name, stack }) => networks.has(name) && !projects.has(stack ?? ''))
  if (others.length === 0) return
  log.warn('the store answers in networks that this service did not make', {
    networks: others.map(({ name }) => name),
    hint: 'give it a network of its own, as compose.dynamodb.yaml does: what joins its network can change every record',
  })
}
