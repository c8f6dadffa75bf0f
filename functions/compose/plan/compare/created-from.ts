import { configContents } from '../../create/file-objects.ts'
import { label } from '../../create/labels.ts'
import { acceptsHash } from '../../hash/hash.ts'
import type { Project } from '../../project.ts'
import type { Service } from '../../service.ts'
import type { ObservedContainer } from '../../snapshot.ts'
import { withParentIds } from './parents.ts'

/**
 * Returns whether a container was created from a service. The hash that is recorded on it says so,
 * which covers everything that shapes the container, and its commands.
 *
 * @param ids what `firstContainers` returns
 */
export function isCreatedFrom(
  { labels }: ObservedContainer,
  project: Project,
  service: Service,
  ids: Record<string, string>,
): boolean {
  const contents = labels[label.contents]
  return (
    acceptsHash(withParentIds(service, ids), labels[label.configHash] ?? '') &&
    (contents === undefined || contents === configContents(project, service))
  )
}

/** Returns service → ID of its first container, whose namespaces others join. */
export function firstContainers(containers: readonly ObservedContainer[]): Record<string, string> {
  const sorted = [...containers]
    .filter(({ oneoff }) => !oneoff)
    .sort((one, other) => other.number - one.number)
  return Object.fromEntries(sorted.map(({ service, id }) => [service, id]))
}
