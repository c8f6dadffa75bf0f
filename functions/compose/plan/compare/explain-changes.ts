import { configContents } from '../../create/file-objects.ts'
import { load } from '../../load/load.ts'
import { ownEntry } from '../../lookup.ts'
import type { ComposeInput, Project } from '../../project.ts'
import type { Service } from '../../service.ts'
import type { ObservedContainer } from '../../snapshot.ts'
import { changedFields } from './changed-fields.ts'
import { firstContainers, isCreatedFrom } from './created-from.ts'
import { isWritten } from './is-written.ts'
import { hashedService } from './pinned.ts'

/** A question about containers that a plan replaces because their configuration changed. */
export interface ChangeQuestion {
  /** Files that may have been deployed before. */
  before: ComposeInput
  /** The text files of the stack now. */
  files: Record<string, string>
  project: Project
  /** All containers of the project. */
  containers: readonly ObservedContainer[]
  /** The services to explain. */
  services: readonly string[]
}

/** Service → the names of the fields that changed. */
export type ChangedFields = Record<string, string[]>

/**
 * Returns the fields in which services differ from what their containers were created from. A
 * service is left out if its containers were not created from the files `before`: then nothing is
 * known. What they were created from shows in the hash that is recorded on them.
 *
 * @throws 422 if the files `before` do not load
 */
export function explainChanges(question: ChangeQuestion): ChangedFields {
  const { project: old } = load({ ...question.before, reach: 'host' })
  const ids = firstContainers(question.containers)
  const texts = [question.before.files, question.files]
  const mayShow = (key: string) => texts.some((files) => isWritten(key, files))
  const entries = question.services.flatMap((name): [string, string[]][] => {
    const containers = question.containers.filter((one) => one.service === name && !one.oneoff)
    const before = ownEntry(old.services, name) ?? ownEntry(old.disabled_services, name)
    if (!before || !containers.every((one) => isCreatedFrom(one, old, before, ids))) return []
    const now = hashedService(question.project, name)
    const fields = [
      ...changedFields(before, now, mayShow),
      ...changedContents(old, before, question.project, now),
    ]
    return fields.length > 0 ? [[name, fields]] : []
  })
  return Object.fromEntries(entries)
}

/** Returns the inline configs of a service whose contents changed: `configs.motd`. */
function changedContents(old: Project, before: Service, project: Project, now: Service): string[] {
  if (configContents(old, before) === configContents(project, now)) return []
  const known = new Set((before.configs ?? []).map(({ source }) => source))
  const changed = (now.configs ?? []).filter(
    ({ source }) =>
      known.has(source) &&
      ownEntry(old.configs, source)?.content !== ownEntry(project.configs, source)?.content,
  )
  return changed.length > 0 ? changed.map(({ source }) => `configs.${source}`) : ['security_opt']
}
