import type { z } from 'zod'
import createChannel from '../alert-channels/create.ts'
import { requireReachable, requireReachableUrl } from '../alert-channels/reachable.ts'
import updateChannel from '../alert-channels/update.ts'
import createRule from '../alert-rules/create.ts'
import { newRule } from '../alert-rules/schema.ts'
import updateRule from '../alert-rules/update.ts'
import createJob from '../backup-jobs/create.ts'
import { jobFields } from '../backup-jobs/fields.ts'
import { targetFrom } from '../backup-jobs/target.ts'
import updateJob from '../backup-jobs/update.ts'
import { isPublicName } from '../compose/reference/public-name.ts'
import { allows, notAllowed, requireEveryHost, requirePermissions } from '../core/access/grant.ts'
import { reachOf } from '../core/access/reach.ts'
import { isBuiltin } from '../core/access/role.ts'
import { requireWholeAccount } from '../core/acts-as/require-whole-account.ts'
import { requireJob } from '../core/backups/jobs/check-job.ts'
import { conflict, invalid } from '../core/errors.ts'
import { type EstateAction, keyOf } from '../core/estate/plan-estate.ts'
import { targetHost } from '../core/hosts/target.ts'
import { refuseReservedStack } from '../core/owners/reserved-names.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import { requireSource } from '../core/sources/judge-source.ts'
import { checkAccess, sourceUrl } from '../core/sources/source-access.ts'
import { neededToFollow } from '../core/sources/stack-source-record.ts'
import { scheduleProblem } from '../core/time/schedule.ts'
import type { EndpointFacts } from '../kit/endpoint-facts.ts'
import createRegistry from '../registries/create.ts'
import updateRegistry from '../registries/update.ts'
import createRole from '../roles/create.ts'
import updateRole from '../roles/update.ts'
import createSource from '../sources/create.ts'
import { accessOf } from '../sources/schema.ts'
import updateSource from '../sources/update.ts'
import createStack from '../stacks/create.ts'
import updateStack from '../stacks/update.ts'
import setPolicy from '../stacks/update-policy/update.ts'
import setInherited from '../update-policies/update.ts'
import { whyNoForm } from './estate-forms.ts'
import type { ReadPorts } from './read-records.ts'
import type {
  EstateBackupJob,
  EstateChannel,
  EstateForm,
  EstateRegistry,
  EstateRole,
  EstateSource,
  EstateStack,
} from './schema.ts'

export type JudgePorts = ReadPorts &
  Needs<'accounts' | 'estates' | 'identityProviders' | 'outbound' | 'settings'>

/** Throws the failure that the single endpoint would answer with, as far as it is known now. */
type Judge = (action: EstateAction) => void | Promise<void>

/** Stands for a secret, which is not known while a plan is made. */
const someSecret = 'secret'

/**
 * Returns the judge of each step that a file can have, by the key of its thing. Each asks what the
 * endpoint of that thing asks before it writes.
 */
export function judgesOf(
  estate: EstateForm,
  caller: Caller,
  ports: JudgePorts,
): ReadonlyMap<string, Judge> {
  const judges = new Map<string, Judge>()
  const add = (section: Parameters<typeof keyOf>[0]['section'], name: string, judge: Judge) =>
    void judges.set(keyOf({ section, name }), judge)
  for (const one of estate.registries) {
    add('registries', one.address, (action) => judgeRegistry(one, action, caller))
  }
  for (const one of estate.roles) {
    add('roles', one.name, (action) => judgeRole(one, action, caller, ports))
  }
  for (const one of estate.channels) {
    add('channels', one.name, (action) => judgeChannel(one, action, caller, ports))
  }
  for (const one of estate.sources) {
    add('sources', one.name, (action) => judgeSource(one, action, caller, ports))
  }
  for (const one of estate.stacks) {
    add('stacks', one.name, (action) => judgeStack(one, action, caller, ports))
    add('stack_policies', one.name, () => {
      requireAccess(setPolicy, caller)
      // Without it, whether there is a job with this name would be told by what follows.
      if (one.update_policy?.checkpoint) requirePermissions(caller, ['backups:read'], 'checkpoint')
    })
  }
  for (const one of estate.backup_jobs) {
    add('backup_jobs', one.name, (action) => judgeJob(one, action, caller, ports))
  }
  for (const { of, mode } of estate.update_policies) {
    add('update_policies', of, () => {
      requireAccess(setInherited, caller)
      requireEveryHost(caller, 'update policies')
      if (mode === 'apply') requirePermissions(caller, ['stacks:deploy'], 'mode: apply')
    })
  }
  for (const one of estate.alert_rules) {
    add('alert_rules', one.name, (action) => {
      requireAccess(action === 'change' ? updateRule : createRule, caller)
      requireEveryHost(caller, 'alert rules')
      newRule('', 0, one)
    })
  }
  return judges
}

/** @throws 403 if the caller may not call the endpoint */
export function requireAccess({ facts }: { facts: EndpointFacts }, caller: Caller): void {
  const { access } = facts
  if (access !== 'public' && !allows(caller, access)) throw notAllowed(caller, access)
}

function judgeRegistry(
  { address }: z.output<typeof EstateRegistry>,
  action: EstateAction,
  caller: Caller,
): void {
  requireAccess(action === 'change' ? updateRegistry : createRegistry, caller)
  requireEveryHost(caller, 'registries')
  if (action === 'change' || isPublicName(address)) return
  const subject = 'address: a registry without a public DNS name'
  requirePermissions(caller, ['stacks:privileged'], subject)
}

async function judgeRole(
  { name, permissions }: z.output<typeof EstateRole>,
  action: EstateAction,
  caller: Caller,
  { roles }: Needs<'roles'>,
): Promise<void> {
  requireAccess(action === 'change' ? updateRole : createRole, caller)
  requireEveryHost(caller, 'roles')
  requirePermissions(caller, permissions, `the role ${name}`)
  if (isBuiltin(name)) throw conflict(`the role ${name} is built in and cannot be changed`)
  const before = action === 'change' ? await roles.find(name) : undefined
  if (before) requirePermissions(caller, before.permissions, `the role ${name}`)
}

function judgeChannel(
  channel: z.output<typeof EstateChannel>,
  action: EstateAction,
  caller: Caller,
  ports: Needs<'outbound'>,
): void {
  requireAccess(action === 'change' ? updateChannel : createChannel, caller)
  requireEveryHost(caller, 'alert channels')
  // The addresses of the other kinds are secrets.
  if ('server' in channel) requireReachableUrl('server', channel.server, ports)
  if (channel.kind === 'smtp') {
    const { kind, host, port, security, username, from, to } = channel
    const target = { kind, host, port, security, username, password: null, from, to }
    requireReachable(target, ports)
  }
}

async function judgeSource(
  source: z.output<typeof EstateSource>,
  action: EstateAction,
  caller: Caller,
  ports: Needs<'outbound' | 'registries' | 'settings'>,
): Promise<void> {
  requireAccess(action === 'change' ? updateSource : createSource, caller)
  await requireSource(source, caller, ports)
  const { username, certificate_authority, host_key } = source
  const access = accessOf({
    username,
    password: source.password && someSecret,
    certificate_authority,
    private_key: source.private_key && someSecret,
    host_key,
  })
  checkAccess({ kind: source.kind, url: sourceUrl(source) }, access)
}

async function judgeStack(
  { name, host, source }: z.output<typeof EstateStack>,
  action: EstateAction,
  caller: Caller,
  ports: Needs<'accounts' | 'hosts' | 'roles' | 'stacks'>,
): Promise<void> {
  requireAccess(action === 'change' ? updateStack : createStack, caller)
  if (action !== 'change' || host !== undefined) await targetHost(host, caller, ports)
  // It throws if a stack with this name is on a host outside the scope of the caller.
  const found = await ports.stacks.find(name)
  const before = action === 'change' ? found : undefined
  const reason = before && whyNoForm(before)
  if (reason !== undefined) throw conflict(reason)
  if (action !== 'change') refuseReservedStack(name, reachOf(caller))
  if (before?.source && !source) {
    throw conflict(
      `source: the stack follows ${before.source.source}: declare that in the file, or let it follow none with \`cli stacks source unset ${name}\``,
    )
  }
  if (!source) return
  requirePermissions(caller, neededToFollow, 'stacks that follow a source')
  requireEveryHost(caller, 'sources')
  await requireWholeAccount(caller, 'a stack that follows a source', ports)
}

async function judgeJob(
  job: z.output<typeof EstateBackupJob>,
  action: EstateAction,
  caller: Caller,
  ports: Needs<'backupJobs' | 'hosts'>,
): Promise<void> {
  requireAccess(action === 'change' ? updateJob : createJob, caller)
  if (action !== 'change' || job.host !== undefined) await targetHost(job.host, caller, ports)
  const problem = job.schedule === null ? undefined : scheduleProblem(job.schedule, job.timezone)
  if (problem) throw invalid(`schedule: ${problem}`)
  const isThis = (name: string) => name.toLowerCase() === job.name.toLowerCase()
  const jobs = action === 'change' ? await ports.backupJobs.list() : []
  const before = jobs.find(({ name }) => isThis(name))
  if (before) requireJob(before, caller)
  requireJob(jobFields({ ...job, target: targetFrom(targetBody(job.target), undefined) }), caller)
}

/** Returns a target as a request has it, with a text that stands for each secret. */
function targetBody(
  target: z.output<typeof EstateBackupJob>['target'],
): Parameters<typeof targetFrom>[0] {
  if (target.kind === 'local') return target
  if (target.kind === 's3') return { ...target, secret_access_key: someSecret }
  return {
    ...target,
    password: target.password && someSecret,
    private_key: target.private_key && someSecret,
    passphrase: target.passphrase && someSecret,
  }
}
