import { label } from '../../compose/create/labels.ts'
import { ownEntry } from '../../compose/lookup.ts'
import type { Resolved } from '../../compose/snapshot.ts'
import type { ReferenceUser } from '../owners/check-references.ts'
import { stackOn } from '../owners/find-owner.ts'
import type { NameUser } from '../owners/taken-names.ts'
import { wasEverDeployed } from '../records/stack.ts'
import type { PreparePorts, StackUser } from './request.ts'

/** Returns the stack whose volumes and networks a deployment uses. */
export const referenceUser = (
  { stack, reach, mayDeploy, accountId }: StackUser,
  usedNames: NameUser['usedNames'],
): ReferenceUser => ({
  stack: stack.id,
  hostId: stack.hostId,
  record: stack,
  reach,
  mayDeploy,
  accountId,
  usedNames,
})

/** Returns the stack whose containers get names in networks. */
export const nameUser = (
  { stack, reach, mayDeploy }: StackUser,
  { networks }: Pick<Resolved, 'networks'>,
  usedNames: NameUser['usedNames'],
  ports: PreparePorts,
): NameUser => ({
  stack: stack.id,
  isPrivileged: reach === 'host',
  isOthers(name) {
    const found = ownEntry(networks, name)
    return found !== undefined && found.labels[label.project] !== stack.id
  },
  async isStack(project) {
    const found = await stackOn(project, stack.hostId, ports)
    return found === 'hidden' || (found !== undefined && wasEverDeployed(found))
  },
  mayDeploy,
  usedNames,
})
