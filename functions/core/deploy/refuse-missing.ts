import type { Project } from '../../compose/project.ts'
import type { PlacedReference } from '../../compose/references.ts'
import type { Resolved } from '../../compose/snapshot.ts'
import { usedNetworks, usedVolumes } from '../../compose/used-resources.ts'
import { problemLines } from '../../compose/yaml/problem.ts'
import { unprocessable } from '../errors.ts'

/**
 * Checks that the external networks and volumes that a project uses exist, as they are never
 * created.
 *
 * @param references those of all services; the project can have some of these
 * @throws 422 that has a line with the place in the file, and a command, for each missing one
 */
export function refuseMissing(
  references: readonly PlacedReference[],
  project: Project,
  { networks, volumes }: Pick<Resolved, 'networks' | 'volumes'>,
): void {
  const used = { network: new Set(usedNetworks(project)), volume: new Set(usedVolumes(project)) }
  const isUsed = ({ kind, key, path }: PlacedReference) =>
    key === null ? Object.hasOwn(project.services, path[1] ?? '') : used[kind].has(key)
  const lines = references
    .filter((one) => one.declared === 'external' && isUsed(one))
    .filter(({ kind, name }) => !Object.hasOwn(kind === 'volume' ? volumes : networks, name))
    .map(
      ({ kind, name, place }) =>
        `${place}external ${kind} ${name} is not on the host${way(kind, name)}`,
    )
  if (lines.length > 0) throw unprocessable(problemLines([...new Set(lines)]))
}

/** Returns the command that creates it, if a shell takes the name as it is. */
const way = (kind: PlacedReference['kind'], name: string) =>
  /^[A-Za-z0-9][\w.-]*$/.test(name)
    ? `: create it there with \`docker ${kind} create ${name}\``
    : ''
