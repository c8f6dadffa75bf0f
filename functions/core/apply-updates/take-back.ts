import { startDeployment } from '../deploy/deploy.ts'
import { plainOptions } from '../deploy/request.ts'
import { isTransient, publicMessage } from '../errors.ts'
import { callHost } from '../hosts/call-host.ts'
import type { Stored } from '../ports/collection.ts'
import type { Deployment } from '../records/deployment.ts'
import type { StackRecord } from '../records/stack.ts'
import type { OpenUpdate, UpdateRollback } from '../records/stack-update.ts'
import { changeStack } from '../stacks/stack-record.ts'
import { reportRollbackFailed } from './report-update.ts'
import { retagBefore } from './retag.ts'
import type { ApplyPorts } from './update-ports.ts'

/** Milliseconds between two attempts, and how many there are. */
const pause = 5 * 60_000
const attemptsMax = 12

/**
 * Takes a bad update back, or finds out how that went. It is tried again if it fails. While the
 * host does not respond, it waits.
 */
export async function takeBack(
  stack: Stored<StackRecord>,
  openUpdate: OpenUpdate,
  rollback: UpdateRollback,
  ports: ApplyPorts,
): Promise<void> {
  const { rollbackId } = openUpdate
  if (rollbackId !== undefined) {
    const last = await ports.deployments.find(stack.id, rollbackId)
    if (last?.status === 'running') return
    if (last?.status === 'succeeded') {
      await save(stack, { ...rollback, state: 'done', error: null }, ports)
      return
    }
    const error = rollback.error ?? last?.error ?? 'its deployment is no longer recorded'
    if (rollback.attempts >= attemptsMax) return giveUp(stack, { ...rollback, error }, ports)
  }
  if (rollback.attempts >= attemptsMax) return giveUp(stack, rollback, ports)
  // A time far ahead was recorded by a wrong clock.
  const wait = rollback.nextAt - ports.clock.now()
  if (wait > 0 && wait <= pause) return
  await callHost(stack.hostId, ports, (engine) => engine.apiVersion())
  const bad = await ports.deployments.find(stack.id, openUpdate.deploymentId)
  if (!bad) return void (await save(stack, { ...rollback, state: 'replaced' }, ports))
  const begun = {
    ...rollback,
    attempts: rollback.attempts + 1,
    nextAt: ports.clock.now() + pause,
    error: null,
  }
  const current = await save(stack, begun, ports)
  if (!current) return
  await start(current, bad, ports).catch(async (error) => {
    const attempts = isTransient(error) ? rollback.attempts : begun.attempts
    await save(stack, { ...begun, attempts, error: publicMessage(error, 'it failed') }, ports)
  })
}

/** Deploys what ran before an update, with the rights that the update had. */
async function start(
  stack: Stored<StackRecord>,
  bad: Deployment,
  ports: ApplyPorts,
): Promise<void> {
  const { files, environment, profiles, options, reach = 'stack', mayUse = [] } = bad
  const { services, update } = options
  if (!update) return
  const mayDeploy = async (name: string) => mayUse.includes(name)
  const { startRecorded } = await startDeployment(
    {
      kind: 'deploy',
      stack,
      files,
      environment,
      profiles,
      reach,
      mayDeploy,
      unchangedSince: stack.revision,
      options: {
        ...plainOptions,
        services,
        withoutDependencies: true,
        retag: retagBefore(update),
        update: { ...update, undoes: bad.id },
      },
    },
    { id: bad.accountId ?? '', username: bad.by },
    ports,
  )
  await startRecorded()
}

async function giveUp(stack: StackRecord, rollback: UpdateRollback, ports: ApplyPorts) {
  await reportRollbackFailed(stack, rollback.error, ports)
  await save(stack, { ...rollback, state: 'failed' }, ports)
}

/**
 * Records how far the rollback is. Returns the record after it, or undefined if someone else ended
 * the update meanwhile.
 */
async function save(
  { id, openUpdate: known }: StackRecord,
  rollback: UpdateRollback,
  ports: ApplyPorts,
): Promise<Stored<StackRecord> | undefined> {
  let isOpen = false
  const saved = await changeStack(
    id,
    ({ openUpdate, update }) => {
      isOpen = openUpdate?.deploymentId === known?.deploymentId
      if (!isOpen || !update) return {}
      const isOver = rollback.state !== 'due'
      return { update: { ...update, rollback }, ...(isOver && { openUpdate: undefined }) }
    },
    ports,
  )
  return isOpen ? saved : undefined
}
