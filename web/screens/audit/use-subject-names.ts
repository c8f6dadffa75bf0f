import type { components } from '../../data/api.types.ts'
import { everyContainer } from '../../data/containers.ts'
import { useReadable } from '../../data/use-readable.ts'
import { isUnnamedContainer, type Named, namesOf, type SubjectNames } from './subject-names.ts'

type AuditRow = components['schemas']['AuditRow']

/** Returns the names that other rows say, or that exist now, as far as the reader may see them. */
export function useSubjectNames(rows: readonly AuditRow[]): SubjectNames {
  const users = useReadable('users:manage', '/users').value ?? []
  const hosts = useReadable('hosts:read', '/hosts').value ?? []
  const jobs = useReadable('backups:read', '/backup-jobs').value ?? []
  const rules = useReadable('alerts:read', '/alert-rules').value ?? []
  const channels = useReadable('alerts:read', '/alert-channels').value ?? []
  const needsContainers = rows.some(({ subject }) => isUnnamedContainer(subject))
  const permission = needsContainers ? 'containers:read' : ''
  const containers = useReadable(permission, '/containers', everyContainer).value
  const listed = containers && ('items' in containers ? containers.items : containers)
  const all = (kind: string, list: readonly { id: string; name: string }[]): Named[] =>
    list.map(({ id, name }) => ({ kind, id, name }))
  return namesOf([
    // Newer rows come first, and have the newer names.
    ...rows.map(({ subject }) => subject).toReversed(),
    ...users.map(({ id, username }) => ({ kind: 'users', id, name: username })),
    ...all('hosts', hosts),
    ...all('containers', listed ?? []),
    ...all('backup-jobs', jobs),
    ...all('alert-rules', rules),
    ...all('alert-channels', channels),
  ])
}
