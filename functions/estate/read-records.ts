import { maySeeJob } from '../core/backups/jobs/run-rights.ts'
import { estateSections, type FileSection } from '../core/estate/plan-estate.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import { whyUnseen } from './why-unseen.ts'

export type ReadPorts = Needs<
  | 'alertChannels'
  | 'alertRules'
  | 'backupJobs'
  | 'hosts'
  | 'registries'
  | 'roles'
  | 'sources'
  | 'stacks'
  | 'texts'
  | 'updatePolicies'
>

/** What a caller sees of an estate. A section that the caller may not see is empty. */
export type EstateRecords = Awaited<ReturnType<typeof readRecords>>

/** Reads everything that the caller may see: only what is on the hosts in scope. */
export async function readRecords(caller: Caller, ports: ReadPorts) {
  const unseen = new Map<FileSection, string>()
  for (const section of estateSections) {
    const reason = whyUnseen(section, caller)
    if (reason !== undefined) unseen.set(section, reason)
  }
  const listOf = async <T>(section: FileSection, list: { list(): Promise<T[]> }) =>
    unseen.has(section) ? [] : list.list()
  const [registries, roles, channels, sources, stacks, jobs, policies, rules] = await Promise.all([
    listOf('registries', ports.registries),
    listOf('roles', ports.roles),
    listOf('channels', ports.alertChannels),
    listOf('sources', ports.sources),
    listOf('stacks', ports.stacks),
    listOf('backup_jobs', ports.backupJobs),
    listOf('update_policies', ports.updatePolicies),
    listOf('alert_rules', ports.alertRules),
  ])
  const visible = jobs.filter((job) => maySeeJob(job, caller))
  return {
    unseen,
    registries,
    roles,
    channels,
    sources,
    stacks,
    jobs: visible,
    policies,
    rules,
    /** There are jobs with a source that the caller may not read. */
    hidesJobs: visible.length < jobs.length,
  }
}
