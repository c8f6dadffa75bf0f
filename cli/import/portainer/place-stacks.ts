import type { ComposeProject } from '../../api/types.ts'
import { quoted } from '../../folder/quoted.ts'
import type { PeerStack } from '../peer-stack.ts'
import type { PortainerImport } from './stacks.ts'

/** The hosts of the service, and what runs on them. */
export interface Hosts {
  hosts: readonly { id: string; name: string }[]
  projects: readonly ComposeProject[]
  /** Name of an environment → id or name of the host that it is. */
  given: ReadonlyMap<string, string>
}

/**
 * Returns the stacks with the hosts of the service that they are on: as given, else where
 * containers say that Portainer started the project, else by the name of the environment. If both
 * say different hosts, it must be given.
 */
export const placeStacks = (imports: readonly PortainerImport[], hosts: Hosts): PeerStack[] =>
  imports.map((one) => ({ ...one.stack, ...placeOf(one, hosts) }))

function placeOf(
  { stack, projectPath }: PortainerImport,
  { hosts, projects, given }: Hosts,
): Partial<PeerStack> {
  const { name, host } = stack
  if (name === null || host === null) return {}
  const same = projects.filter((project) => project.name === name)
  const own = same.filter(({ working_dir }) => isBelow(working_dir, projectPath))
  const named = hosts.find(({ id, name: one }) => [id, one].some((text) => isSame(text, host)))
  const labelled = own.length === 1 ? own[0]?.host_name : undefined
  const map = `use --map ${quoted(`${host}=<host>`)}`
  const isUnclear = labelled !== undefined && named !== undefined && labelled !== named.name
  // The owner of any container writes labels: they alone send no variables to another host.
  if (isUnclear && !given.has(host))
    return {
      needs: `host ${named.name} has the name ${host}, but the project runs on ${labelled}: ${map}`,
    }
  const found = given.get(host) ?? labelled ?? named?.name
  if (found === undefined) return { needs: `no host of this service is ${host}: ${map}` }
  const isThere = ({ host_id, host_name }: ComposeProject) => [host_id, host_name].includes(found)
  const other = same.find((project) => isThere(project) && !own.includes(project))
  if (!other) return { host: found, directory: own.find(isThere)?.working_dir ?? null }
  return {
    host: found,
    needs: `the project ${name} of host ${found} is not that of Portainer: it runs in ${other.working_dir}`,
  }
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Without a directory, every project would be that of Portainer. */
function isBelow(path: string, directory: string): boolean {
  const root = directory.replace(/\/+$/, '')
  return root !== '' && (path === root || path.startsWith(`${root}/`))
}
