import { ignoreError } from '../ignore-error.ts'
import { type ReachPorts, reachedIfThere } from '../owners/reached-by-container.ts'
import type { Needs } from '../ports/ports.ts'
import { type Host, isReachable } from '../records/host.ts'
import type { Uses } from './uses.ts'

type ContainerUsesPorts = ReachPorts & Needs<'engines' | 'log' | 'settings'>

/**
 * Adds what the containers of all hosts have access to, so that those that no stack owns can be
 * entered as before. A host that does not respond is left out, with a warning in the log.
 */
export async function addContainerUses(uses: Uses, ports: ContainerUsesPorts): Promise<void> {
  const hosts = (await ports.hosts.list()).filter(isReachable)
  const found = await Promise.all(
    hosts.map((host) =>
      enteredOn(host, ports).catch((error) => {
        ignoreError('ask a host what its containers use')(error)
        const text = 'the settings do not list what containers without a stack use on a host'
        ports.log.warn(text, { host: host.name })
        return []
      }),
    ),
  )
  const settings = await ports.settings.get()
  const shared = new Set([...settings['stacks.shared_volumes'], ...uses['stacks.shared_volumes']])
  for (const { name, volume } of found.flat()) {
    if (volume === undefined || !shared.has(volume)) uses['stacks.enterable_binds'].add(name)
  }
}

async function enteredOn({ id: hostId }: Host, ports: ContainerUsesPorts) {
  const engine = await ports.engines.on(hostId)
  const [containers, installation] = await Promise.all([
    engine.containers({ all: true }),
    engine.installation(),
  ])
  const found: { name: string; volume?: string }[] = []
  for (const { id } of containers) {
    if (installation.containers.has(id)) continue
    const { reached = [] } = (await reachedIfThere(id, { hostId, engine }, ports)) ?? {}
    if (!reached.some(({ degree }) => degree === 'host')) found.push(...reached)
  }
  return found
}
