import type { Step } from '../../compose/step.ts'
import type { Engine } from '../ports/engine.ts'
import { installationRefusal } from './installation-refusal.ts'
import { lacks } from './rights.ts'
import { aliasesIn, usedByContainer } from './used-by-container.ts'

/**
 * Checks that no container of a plan takes a name of the installation in a network that the two
 * share. The Engine port checks it again at each step.
 *
 * @throws 409 that names the service, the name and the network
 */
export async function refuseTakenNames(
  steps: readonly Step[],
  engine: Pick<Engine, 'installation'>,
): Promise<void> {
  const { joined } = await engine.installation()
  if (joined.size === 0 || !lacks('take-name', 'installation')) return
  for (const step of steps) {
    for (const { name, aliases } of joinedBy(step)) {
      const taken = aliases.find((alias) => joined.get(name)?.has(alias))
      if (taken === undefined) continue
      const place = step.service === null ? '' : `services.${step.service}: `
      throw installationRefusal(`${place}name ${taken} in network ${name}`, 'use')
    }
  }
}

function joinedBy(step: Step): { name: string; aliases: string[] }[] {
  if (step.kind === 'container' && (step.action === 'create' || step.action === 'recreate'))
    return usedByContainer(step.body).networks
  if (step.kind === 'network' && step.action === 'connect')
    return [{ name: step.name, aliases: aliasesIn(step.body) }]
  return []
}
