import type { Engine } from '../ports/engine.ts'
import type { StackRecord } from '../records/stack.ts'
import { ownDirectoryAt } from './installation.ts'
import { installationRefusal } from './installation-refusal.ts'
import { lacks } from './rights.ts'

/** @throws 409 if the service or its store runs in a container of this compose project */
export async function refuseOwnStack(name: string, engine: Engine): Promise<void> {
  const owner = (await isOwnStack(name, engine)) ? 'installation' : 'foreign'
  if (lacks('change', owner) === 'refused') throw installationRefusal(`stack ${name}`)
}

/** @throws 409 if the service has files in the directory of a stack, which its containers mount */
export async function refuseOwnFiles(
  { id, directory }: Pick<StackRecord, 'id' | 'directory'>,
  engine: Engine,
): Promise<void> {
  const own = ownDirectoryAt(directory, await engine.installation())
  if (own !== undefined && lacks('change', 'installation') === 'refused')
    throw installationRefusal(`stack ${id}: its directory shares files with ${own}`, 'use')
}

/** Returns whether the service or its store runs in a container of this compose project. */
export const isOwnStack = async (name: string, engine: Engine): Promise<boolean> =>
  (await engine.installation()).projects.has(name)

/** @throws 409 if one of these containers, which are to be stopped, is of the installation */
export async function refuseOwnAmong(
  containers: readonly { id: string; name: string }[],
  engine: Engine,
): Promise<void> {
  if (containers.length === 0) return
  const members = (await engine.installation()).containers
  const found = containers.find(({ id }) => members.has(id))
  if (found && lacks('stop', 'installation')) throw installationRefusal(`container ${found.name}`)
}
