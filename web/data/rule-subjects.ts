import type { HostId, HostName } from '../host-ids.ts'
import type { MatchKey } from './alert-metrics.ts'
import { useResource } from './cache.ts'
import { matchesAny } from './glob.ts'
import { splitHosts } from './host-lists.ts'

/** Something that a rule may apply to. */
interface Subject {
  name: string
  hosts: readonly string[]
  stack: string | null
}

export type SubjectKind = 'container' | 'host' | 'stack' | 'backup_job'

/**
 * Returns the names of what a rule would apply to now; undefined while that is loading or if the
 * reader may not see it.
 */
export function useMatching(
  kind: SubjectKind,
  globs: Partial<Record<MatchKey, string[]>>,
): readonly string[] | undefined {
  const path = (
    {
      container: '/containers',
      host: '/hosts',
      stack: '/stacks',
      backup_job: '/backup-jobs',
    } as const
  )[kind]
  const { value } = useResource(path, kind === 'container' ? { host: 'all' } : {})
  const subjects = value.value && subjectsIn(kind, value.value)
  return subjects
    ?.filter(
      ({ name, hosts, stack }) =>
        matchesAny(globs.hosts ?? [], ...hosts) &&
        matchesAny(globs.stacks ?? [], kind === 'stack' ? name : stack) &&
        matchesAny(globs.containers ?? [], name),
    )
    .map(({ name }) => name)
}

interface Row {
  id?: string
  name: string
  host?: HostId
  host_id?: HostId
  host_name?: HostName | null
  stack?: string | null
}

function subjectsIn(kind: SubjectKind, value: Parameters<typeof splitHosts<Row>>[0]): Subject[] {
  return splitHosts(value).items.map(({ id = '', name, host, host_id, host_name, stack }) => ({
    name,
    hosts:
      kind === 'host'
        ? [name, id]
        : [host, host_id, host_name].filter((one) => one !== undefined && one !== null),
    stack: stack ?? null,
  }))
}
