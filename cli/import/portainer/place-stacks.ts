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
 * containers say that Portainer started the project, else by the name of the environment.
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
  const found = given.get(host) ?? (own.length === 1 ? own[0]?.host_name : undefined) ?? named?.name
  if (found === undefined)
    return { needs: `no host of this service is ${host}: use --map ${quoted(`${host}=<host>`)}` }
  const isThere = ({ host_id, host_name }: ComposeProject) => [host_id, host_name].includes(found)
  const other = same.find((project) => isThere(project) && !own.includes(project))
  if (!other) return { host: found, directory: own.find(isThere)?.working_dir ?? null }
  return {
    host: found,
    needs: `the project ${name} of host ${found} is not that of Portainer: it runs in ${other.working_dir}`,
  }
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const isBelow = (path: string, directory: string) =>
  path === directory || path.startsWith(`${directory.replace(/\/+$/, '')}/`)
