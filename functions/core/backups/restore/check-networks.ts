import { checkReferences } from '../../owners/check-references.ts'
import type { Engine } from '../../ports/engine.ts'
import type { RestorePlan, Restorer } from './restore-plan.ts'
import { type RestoringPorts, restoringUser } from './volume-owners.ts'

/**
 * Checks that each restored stack may join its networks. Its deploy would refuse them too, but only
 * after its containers and data were replaced.
 *
 * @throws 403 or 409 with the place in the file and the name of the network
 */
export async function checkNetworks(
  plan: RestorePlan,
  caller: Restorer,
  engine: Engine,
  ports: RestoringPorts,
): Promise<void> {
  for (const stack of plan.stacks) {
    const joined = stack.references.filter(({ kind }) => kind === 'network')
    const networks = joined.map(({ name }) => name)
    const onHost = await engine.resolve({ networks, volumes: [], images: [] })
    const user = restoringUser(stack, plan, caller, ports)
    await checkReferences(user, joined, onHost, ports)
  }
}
