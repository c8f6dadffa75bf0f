import type { Engine } from '../ports/engine.ts'
import type { ContainerAccess } from '../records/container.ts'
import { isSameMount } from './is-same-mount.ts'

/** The host of a container, and its Engine. */
export interface EnteredHost {
  hostId: string
  engine: Engine
}

/** Another container from which a container gets something. */
interface Neighbour {
  /** ID or name. */
  container: string
  /** Returns the reason, which what it has follows. */
  by(name: string): string
  /** It mounts what the other one can write, and does what it reads there. */
  isWritten: boolean
}

/** Returns the containers whose namespaces one has, and those of its stack that it writes for. */
export async function neighbours(access: ContainerAccess, host: EnteredHost): Promise<Neighbour[]> {
  const joined = namespacesOf(access).map(({ option, container }) => ({
    container,
    by: (name: string) => `the option ${option}: container:${name}, which has `,
    isWritten: false,
  }))
  return [...joined, ...(await readersOf(access, host))]
}

async function readersOf(
  { id, mounts }: ContainerAccess,
  { engine }: EnteredHost,
): Promise<Neighbour[]> {
  const written = mounts.filter(({ readOnly }) => !readOnly)
  if (written.length === 0) return []
  const { stack: project } = await engine.container(id)
  if (project === null) return []
  const others = (await engine.projectContainers(project)).filter((one) => one.id !== id)
  return others.flatMap((other) => {
    const shared = written.find((mount) => other.mounts.some((one) => isSameMount(mount, one)))
    if (!shared) return []
    const by = (name: string) =>
      `the mount ${shared.destination}, which container ${name} has too, with `
    return [{ container: other.id, by, isWritten: true }]
  })
}

/** Options by which a container can share a namespace of another one. */
const namespaces = { NetworkMode: 'network_mode', PidMode: 'pid', IpcMode: 'ipc' }

function namespacesOf({ hostConfig }: ContainerAccess): { option: string; container: string }[] {
  return Object.entries(namespaces).flatMap(([name, option]) => {
    const [, container = ''] = /^container:(.+)$/.exec(String(hostConfig[name])) ?? []
    return container === '' ? [] : [{ option, container }]
  })
}
