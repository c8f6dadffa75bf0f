import { label } from '../../compose/create/labels.ts'
import type { Reach } from '../../compose/project.ts'
import { refusedByPolicy } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { EnteredHost } from './neighbours.ts'
import { type ReachPorts, reachedIfThere } from './reached-by-container.ts'

/**
 * Checks that no container of the stack that has a volume controls its host. What such a container
 * reads in the volume decides what it does, so a writer of the volume would control the host too.
 *
 * @param names volumes that the caller may use by their owners
 * @throws 403 with the container, unless the caller has `stacks:privileged` or the setting
 *   `stacks.shared_volumes` lists the volume
 */
export async function refuseControlledVolumes(
  names: readonly string[],
  reach: Reach,
  host: EnteredHost,
  ports: ReachPorts & Needs<'settings'>,
): Promise<void> {
  if (reach === 'host' || names.length === 0) return
  const { 'stacks.shared_volumes': shared } = await ports.settings.get()
  const asked = names.filter((name) => !shared.includes(name))
  const wanted = { networks: [], images: [], volumes: asked }
  const { volumes } = await host.engine.resolve(wanted)
  for (const { name, labels } of Object.values(volumes)) {
    const owner = labels[label.project]
    if (owner === undefined) continue
    for (const { id, mounts } of await host.engine.projectContainers(owner)) {
      if (!mounts.some((mount) => mount.type === 'volume' && mount.name === name)) continue
      const found = await reachedIfThere(id, host, ports)
      const control = found?.reached.find(({ degree }) => degree === 'host')
      if (found && control) throw refused(name, found.name, control.reason)
    }
  }
}

const refused = (volume: string, container: string, reason: string) =>
  refusedByPolicy(
    `volume ${volume}: container ${container}, which has it, controls the host by ${reason}: writing the volume requires the permission stacks:privileged, or the setting stacks.shared_volumes`,
  )
