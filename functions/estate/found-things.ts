import removeChannel from '../alert-channels/remove.ts'
import removeRule from '../alert-rules/remove.ts'
import removeJob from '../backup-jobs/remove.ts'
import { jobEdition } from '../backup-jobs/view.ts'
import { requireEveryHost, requirePermissions } from '../core/access/grant.ts'
import { requireVolumes } from '../core/backups/jobs/approve-volumes.ts'
import { requireJob } from '../core/backups/jobs/check-job.ts'
import type { DatedThing } from '../core/estate/plan-prune.ts'
import type { Stored } from '../core/ports/collection.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import type { AlertChannel } from '../core/records/alert-channel.ts'
import type { AlertRule } from '../core/records/alert-rule.ts'
import type { BackupJob } from '../core/records/backup-job.ts'
import type { CustomRole } from '../core/records/custom-role.ts'
import { type EstateKey, keyOf } from '../core/records/estate.ts'
import type { Registry } from '../core/records/registry.ts'
import type { Source } from '../core/records/source.ts'
import type { StackRecord } from '../core/records/stack.ts'
import type { InheritedPolicy } from '../core/records/update-policy.ts'
import type { Edition } from '../kit/if-match.ts'
import removeRegistry from '../registries/remove.ts'
import removeRole from '../roles/remove.ts'
import removeSource from '../sources/remove.ts'
import { sourceEdition } from '../sources/schema.ts'
import { stackEdition } from '../stacks/edition.ts'
import removeStack from '../stacks/remove.ts'
import resetPolicy from '../stacks/update-policy/remove.ts'
import { policyEdition } from '../stacks/update-policy/view.ts'
import removeInherited from '../update-policies/remove.ts'
import { requireAccess } from './judge-steps.ts'
import type { EstateRecords, ReadPorts } from './read-records.ts'

type RightsPorts = Needs<'settings' | 'stacks'>

/** A thing that is there, as far as its deletion needs it. */
export interface FoundThing extends DatedThing {
  /** How the endpoint that deletes it names it. */
  id: string
  /** The version that is deleted; undefined where the endpoint compares none. */
  edition: Edition | undefined
  /** @throws 403 if the caller may not delete it */
  requireRights(caller: Caller, ports: RightsPorts): void | Promise<void>
}

/** Returns all things that a caller sees. */
export const foundThings = (records: EstateRecords): FoundThing[] => [
  ...records.registries.map(foundRegistry),
  ...records.roles.map(foundRole),
  ...records.channels.map(foundChannel),
  ...records.sources.map(foundSource),
  ...records.stacks.map(foundStack),
  ...records.stacks.flatMap(foundPolicy),
  ...records.jobs.map(foundJob),
  ...records.policies.map(foundInherited),
  ...records.rules.map(foundRule),
]

/**
 * Returns a thing as it is now, or undefined if it is not there.
 *
 * @throws 403 if it is a stack of a host outside the scope of the caller
 */
export async function findThing(key: EstateKey, ports: ReadPorts): Promise<FoundThing | undefined> {
  const { section, name } = key
  const all = await thingsNamed(section, name, ports)
  return all.find((one) => keyOf(one) === keyOf(key))
}

async function thingsNamed(
  section: EstateKey['section'],
  name: string,
  ports: ReadPorts,
): Promise<FoundThing[]> {
  switch (section) {
    case 'registries':
      return listOf(await ports.registries.find(name)).map(foundRegistry)
    case 'roles':
      return listOf(await ports.roles.find(name)).map(foundRole)
    case 'channels':
      return (await ports.alertChannels.list()).map(foundChannel)
    case 'sources':
      return listOf(await ports.sources.find(name)).map(foundSource)
    case 'stacks':
      return listOf(await ports.stacks.find(name)).map(foundStack)
    case 'stack_policies':
      return listOf(await ports.stacks.find(name)).flatMap(foundPolicy)
    case 'backup_jobs':
      return (await ports.backupJobs.list()).map(foundJob)
    case 'update_policies':
      return listOf(await ports.updatePolicies.find(name)).map(foundInherited)
    case 'alert_rules':
      return (await ports.alertRules.list()).map(foundRule)
  }
}

const listOf = <T>(found: T | undefined): T[] => (found === undefined ? [] : [found])

const foundRegistry = ({ id, createdAt, revision }: Stored<Registry>): FoundThing => ({
  section: 'registries',
  name: id,
  id,
  createdAt,
  edition: revision,
  requireRights(caller) {
    requireAccess(removeRegistry, caller)
    requireEveryHost(caller, 'registries')
  },
})

const foundRole = ({ id, createdAt, revision, permissions }: Stored<CustomRole>): FoundThing => ({
  section: 'roles',
  name: id,
  id,
  createdAt,
  edition: revision,
  requireRights(caller) {
    requireAccess(removeRole, caller)
    requireEveryHost(caller, 'roles')
    requirePermissions(caller, permissions, `the role ${id}`)
  },
})

const foundChannel = ({ id, name, createdAt, revision }: Stored<AlertChannel>): FoundThing => ({
  section: 'channels',
  name,
  id,
  createdAt,
  edition: revision,
  requireRights(caller) {
    requireAccess(removeChannel, caller)
    requireEveryHost(caller, 'alert channels')
  },
})

const foundSource = (source: Stored<Source>): FoundThing => ({
  section: 'sources',
  name: source.id,
  id: source.id,
  createdAt: source.createdAt,
  edition: sourceEdition(source),
  requireRights(caller) {
    requireAccess(removeSource, caller)
    requireEveryHost(caller, 'sources')
  },
})

const foundStack = (stack: Stored<StackRecord>): FoundThing => ({
  section: 'stacks',
  name: stack.id,
  id: stack.id,
  createdAt: stack.createdAt,
  edition: stackEdition(stack),
  requireRights: (caller) => requireAccess(removeStack, caller),
})

/** Returns the update policy of a stack, if it has one of its own. */
function foundPolicy(stack: Stored<StackRecord>): FoundThing[] {
  const { id, createdAt, updatePolicy } = stack
  if (!updatePolicy) return []
  const policy: FoundThing = {
    section: 'stack_policies',
    name: id,
    id,
    createdAt: updatePolicy.createdAt ?? createdAt,
    edition: policyEdition(stack),
    requireRights: (caller) => requireAccess(resetPolicy, caller),
  }
  return [policy]
}

const foundJob = (job: Stored<BackupJob>): FoundThing => ({
  section: 'backup_jobs',
  name: job.name,
  id: job.id,
  createdAt: job.createdAt,
  edition: jobEdition(job),
  async requireRights(caller, ports) {
    requireAccess(removeJob, caller)
    requireJob(job, caller)
    await requireVolumes(job.volumes, 'backup', caller, ports)
  },
})

const foundInherited = ({ id, createdAt }: Stored<InheritedPolicy>): FoundThing => ({
  section: 'update_policies',
  name: id,
  id,
  createdAt,
  edition: undefined,
  requireRights(caller) {
    requireAccess(removeInherited, caller)
    requireEveryHost(caller, 'update policies')
  },
})

const foundRule = ({ id, name, createdAt, revision }: Stored<AlertRule>): FoundThing => ({
  section: 'alert_rules',
  name,
  id,
  createdAt,
  edition: revision,
  requireRights(caller) {
    requireAccess(removeRule, caller)
    requireEveryHost(caller, 'alert rules')
  },
})
