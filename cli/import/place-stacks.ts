import type { ComposeProject } from '../api/types.ts'
import { quoted } from '../folder/quoted.ts'
import type { PeerStack } from './peer-stack.ts'

/** A stack of a product that manages several hosts. */
export interface PlacedImport {
  stack: PeerStack
  /** The directory in which the product runs `docker compose`; null if the product hides it. */
  projectPath: string | null
}

/** The hosts of the service, and what runs on them. */
export interface Hosts {
  hosts: readonly { id: string; name: string }[]
  projects: readonly ComposeProject[]
  /** Name of a host in the product → id or name of the host that it is. */
  given: ReadonlyMap<string, string>
  /** The name of the product. */
  product: string
}

/**
 * Returns the stacks with the hosts of the service that they are on: as given, else where
 * containers say that the product started the project, else by the name of the host. If both say
 * different hosts, it must be given. If the product hides the directory, the name of the host comes
 * first, because the containers say only the name of the project then.
 */
export const placeStacks = (imports: readonly PlacedImport[], hosts: Hosts): PeerStack[] =>
  imports.map(({ stack, projectPath }) =>
    withNote({ ...stack, ...placeOf({ stack, projectPath }, hosts) }, stack.host, hosts),
  )

/** Says so if labels alone decide where the variables go: others may have written them. */
function withNote(placed: PeerStack, named: string | null, { hosts, given }: Hosts): PeerStack {
  if (placed.name === null || placed.needs !== null || named === null) return placed
  if (given.has(named) || hosts.some((one) => isNamed(one, named))) return placed
  const note = `no host here is ${named}: it goes to host ${placed.host}, where containers say that they are of this project`
  return { ...placed, notes: [...placed.notes, note] }
}

function placeOf(
  { stack, projectPath }: PlacedImport,
  { hosts, projects, given, product }: Hosts,
): Partial<PeerStack> {
  const { name, host } = stack
  if (name === null || host === null) return {}
  const same = projects.filter((project) => project.name === name)
  const own = same.filter(
    ({ working_dir }) => projectPath === null || isBelow(working_dir, projectPath),
  )
  const named = hosts.find((one) => isNamed(one, host))
  const labelled = own.length === 1 ? own[0]?.host_name : undefined
  const map = `use --map ${quoted(`${host}=<host>`)}`
  const isUnclear =
    projectPath !== null && labelled !== undefined && named !== undefined && labelled !== named.name
  // The owner of any container writes labels: they alone send no variables to another host.
  if (isUnclear && !given.has(host))
    return {
      needs: `host ${named.name} has the name ${host}, but the project runs on ${labelled}: ${map}`,
    }
  const found = given.get(host) ?? named?.name ?? labelled
  if (found === undefined) return { needs: `no host of this service is ${host}: ${map}` }
  const isThere = ({ host_id, host_name }: ComposeProject) => [host_id, host_name].includes(found)
  const other = same.find((project) => isThere(project) && !own.includes(project))
  if (!other) return { host: found, directory: own.find(isThere)?.working_dir ?? stack.directory }
  return {
    host: found,
    needs: `the project ${name} of host ${found} is not that of ${product}: it runs in ${other.working_dir}`,
  }
}

const isNamed = ({ id, name }: Hosts['hosts'][number], text: string) =>
  [id, name].some((one) => one.toLowerCase() === text.toLowerCase())

/** Without a directory, every project would be that of the product. */
function isBelow(path: string, directory: string): boolean {
  const root = directory.replace(/\/+$/, '')
  return root !== '' && (path === root || path.startsWith(`${root}/`))
}
