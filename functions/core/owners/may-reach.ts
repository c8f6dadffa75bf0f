import { isInside } from '../../compose/policy/resource-reach.ts'
import type { SettingValues } from '../records/settings.ts'
import type { Enterer } from './enterer.ts'
import { hostPath } from './host-paths.ts'
import type { ReachedHere } from './reached-by-container.ts'
import { lacks } from './rights.ts'

/**
 * Returns whether a caller may have data of others that a container has access to: as to mount it,
 * or because a setting lists it.
 */
export async function mayReach(
  one: ReachedHere,
  { reach, mayDeploy }: Enterer,
  settings: SettingValues,
): Promise<boolean> {
  const { stack } = one
  const asking = {
    may: (permission: string) => permission === 'stacks:privileged' && reach === 'host',
    mayDeployOwner: stack !== undefined && ((await mayDeploy?.(stack)) ?? false),
    isShared: isListed(one, settings),
  }
  return lacks('reach', stack === undefined ? 'foreign' : 'stack', asking) === undefined
}

function isListed({ name, volume }: ReachedHere, settings: SettingValues): boolean {
  if (volume !== undefined && settings['stacks.shared_volumes'].includes(volume)) return true
  return settings['stacks.enterable_binds'].some(
    (entry) => entry === name || (isPath(entry) && isPath(name) && isWithin(entry, name)),
  )
}

const isPath = (text: string) => text.startsWith('/')

const isWithin = (directory: string, path: string) => isInside(hostPath(directory), hostPath(path))
