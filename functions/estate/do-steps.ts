import type { z } from 'zod'
import createChannel from '../alert-channels/create.ts'
import updateChannel from '../alert-channels/update.ts'
import createRule from '../alert-rules/create.ts'
import updateRule from '../alert-rules/update.ts'
import createJob from '../backup-jobs/create.ts'
import updateJob from '../backup-jobs/update.ts'
import { requirePermissions } from '../core/access/grant.ts'
import { maySeeJob } from '../core/backups/jobs/run-rights.ts'
import { notFound } from '../core/errors.ts'
import { keyOf, type PlannedStep } from '../core/estate/plan-estate.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import type { BackupJob } from '../core/records/backup-job.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { readTexts } from '../core/stacks/texts.ts'
import { entityTag } from '../kit/entity-tag.ts'
import createRegistry from '../registries/create.ts'
import updateRegistry from '../registries/update.ts'
import createRole from '../roles/create.ts'
import updateRole from '../roles/update.ts'
import createSource from '../sources/create.ts'
import updateSource from '../sources/update.ts'
import createStack from '../stacks/create.ts'
import bindSource from '../stacks/source/update.ts'
import updateStack from '../stacks/update.ts'
import setPolicy from '../stacks/update-policy/update.ts'
import setInherited from '../update-policies/update.ts'
import { fillIn, secretsOfStep } from './fill-in.ts'
import type { FoundThing } from './found-things.ts'
import type { EstateAlertRule, EstateForm, EstateStack, EstateStackPolicy } from './schema.ts'
import type { Send } from './send-request.ts'
import { stackBody } from './stack-body.ts'
import { composeBeforeSource } from './stack-things.ts'

export type PortsOf<E extends { with(ports: never): unknown }> = Parameters<E['with']>[0]

/** The ports of all endpoints that steps call. */
export type StepPorts = PortsOf<typeof createChannel> &
  PortsOf<typeof updateChannel> &
  PortsOf<typeof createRule> &
  PortsOf<typeof updateRule> &
  PortsOf<typeof createJob> &
  PortsOf<typeof updateJob> &
  PortsOf<typeof createRegistry> &
  PortsOf<typeof updateRegistry> &
  PortsOf<typeof createRole> &
  PortsOf<typeof updateRole> &
  PortsOf<typeof createSource> &
  PortsOf<typeof updateSource> &
  PortsOf<typeof createStack> &
  PortsOf<typeof updateStack> &
  PortsOf<typeof bindSource> &
  PortsOf<typeof setPolicy> &
  PortsOf<typeof setInherited>

/** What all steps share. */
export interface StepContext {
  caller: Caller
  send: Send<StepPorts>
  secrets: ReadonlyMap<string, string>
  ports: StepPorts
  /** What the plan compared with, by key. */
  found: ReadonlyMap<string, FoundThing>
  /** Takes each stack that was bound and has no files of its source yet, with that. */
  bound: Map<string, string>
}

type Do = (step: PlannedStep) => Promise<unknown>

/**
 * Returns what does each step that a file can have, by the key of its thing. Each calls the
 * endpoint of that thing.
 */
export function doersOf(estate: EstateForm, context: StepContext): ReadonlyMap<string, Do> {
  const { send, secrets, ports } = context
  const doers = new Map<string, Do>()
  const add = (section: PlannedStep['section'], name: string, act: Do) =>
    void doers.set(keyOf({ section, name }), act)
  const filled = (step: PlannedStep, part: object) =>
    fillIn(part, secretsOfStep(step.action, secrets))
  for (const one of estate.registries) {
    add('registries', one.address, (step) => {
      const body = filled(step, one)
      if (step.action === 'create') return send('POST /registries', createRegistry, { body })
      return send('PUT /registries/{id}', updateRegistry, { path: { id: one.address }, body })
    })
  }
  for (const { name, permissions } of estate.roles) {
    add('roles', name, ({ action }) => {
      if (action === 'create')
        return send('POST /roles', createRole, { body: { name, permissions } })
      return send('PUT /roles/{name}', updateRole, { path: { name }, body: { permissions } })
    })
  }
  for (const one of estate.channels) {
    add('channels', one.name, async (step) => {
      const body = filled(step, one)
      if (step.action === 'create') return send('POST /alert-channels', createChannel, { body })
      const id = idOf(one.name, await ports.alertChannels.list(), 'alert channel')
      return send('PUT /alert-channels/{id}', updateChannel, { path: { id }, body })
    })
  }
  for (const one of estate.sources) {
    add('sources', one.name, (step) => {
      const body = filled(step, one)
      if (step.action === 'create') return send('POST /sources', createSource, { body })
      return send('PUT /sources/{name}', updateSource, { path: { name: one.name }, body })
    })
  }
  for (const one of estate.stacks) {
    add('stacks', one.name, (step) => doStack(one, step, context))
    const { update_policy: policy } = one
    if (policy) {
      add('stack_policies', one.name, () => doPolicy(one.name, policy, context))
    }
  }
  for (const one of estate.backup_jobs) {
    add('backup_jobs', one.name, async (step) => {
      const body = filled(step, one)
      if (step.action === 'create') return send('POST /backup-jobs', createJob, { body })
      const id = idOf(one.name, await ports.backupJobs.list(), 'backup job')
      return send('PUT /backup-jobs/{id}', updateJob, { path: { id }, body })
    })
  }
  for (const { of: name, ...body } of estate.update_policies) {
    add('update_policies', name, () =>
      send('PUT /update-policies/{name}', setInherited, { path: { name }, body }),
    )
  }
  for (const one of estate.alert_rules) {
    add('alert_rules', one.name, (step) => doRule(one, step, context))
  }
  return doers
}

/**
 * Makes or changes a stack. One that follows a source begins without services. It is left in
 * `bound`, to take the files of the source together with the others.
 */
async function doStack(
  stack: z.output<typeof EstateStack>,
  { action, fields }: PlannedStep,
  { send, secrets, ports, found, bound }: StepContext,
): Promise<void> {
  const { name, host, source } = stack
  const path = { name }
  const body = stackBody(stack, secretsOfStep(action, secrets))
  if (action === 'create') {
    const compose = stack.compose ?? composeBeforeSource
    await send('POST /stacks', createStack, { body: { name, host, ...body, compose } })
  } else if (fields.some((field) => field !== 'source')) {
    // Not over files that were saved since the plan was made.
    const edition = found.get(keyOf({ section: 'stacks', name }))?.edition
    const ifMatch = edition === undefined ? undefined : entityTag('0', edition)
    await send('PUT /stacks/{name}', updateStack, { path, body, ifMatch })
  }
  if (!source || (action === 'change' && !fields.includes('source'))) return
  await send('PUT /stacks/{name}/source', bindSource, { path, body: source })
  const { compose } = await readTexts((await getStack(name, ports)).files, ports)
  if (compose === composeBeforeSource) bound.set(name, source.source)
}

async function doPolicy(
  stack: string,
  { checkpoint, ...terms }: z.output<typeof EstateStackPolicy>,
  { caller, send, ports }: StepContext,
): Promise<unknown> {
  const jobs = checkpoint === null ? [] : await visibleJobs(caller, ports)
  const id = checkpoint === null ? null : idOf(checkpoint, jobs, 'backup job')
  const request = { path: { name: stack }, body: { ...terms, checkpoint: id } }
  return send('PUT /stacks/{name}/update-policy', setPolicy, request)
}

/** Returns the backup jobs that a caller may see: the name of another one cannot be guessed. */
async function visibleJobs(
  caller: Caller,
  { backupJobs }: Needs<'backupJobs'>,
): Promise<BackupJob[]> {
  requirePermissions(caller, ['backups:read'], 'checkpoint')
  return (await backupJobs.list()).filter((job) => maySeeJob(job, caller))
}

async function doRule(
  rule: z.output<typeof EstateAlertRule>,
  { action }: PlannedStep,
  { send, ports }: StepContext,
): Promise<unknown> {
  const all = await ports.alertChannels.list()
  const channels = rule.channels.map((name) => idOf(name, all, 'alert channel'))
  const body = { ...rule, channels }
  if (action === 'create') return send('POST /alert-rules', createRule, { body })
  const id = idOf(rule.name, await ports.alertRules.list(), 'alert rule')
  return send('PUT /alert-rules/{id}', updateRule, { path: { id }, body })
}

/** @throws 404 if there is none with this name, in any case */
function idOf(
  name: string,
  records: readonly { id: string; name: string }[],
  kind: string,
): string {
  const found = records.find((one) => one.name.toLowerCase() === name.toLowerCase())
  if (found) return found.id
  throw notFound(`there is no ${kind} ${name}`)
}
