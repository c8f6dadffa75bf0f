import { startDeployment } from '../deploy/deploy.ts'
import { plainOptions } from '../deploy/request.ts'
import { publicMessage } from '../errors.ts'
import type { Stored } from '../ports/collection.ts'
import type { Deployment } from '../records/deployment.ts'
import type { StackRecord } from '../records/stack.ts'
import type { UpdateRollback } from '../records/stack-update.ts'
import { changeStack } from '../stacks/stack-record.ts'
import { reportRollbackFailed } from './report-update.ts'
import { retagBefore } from './retag.ts'
import type { ApplyPorts } from './update-ports.ts'

/** Milliseconds between two attempts, and how many there are. */
const pause = 5 * 60_000
const attemptsMax = 12

/**
 * Takes a bad update back, or finds out how that went. It is tried again while it fails, such as
 * while the host is away. If someone changed the stack meanwhile, it stays as that made it.
 */
export async function takeBack(stack: Stored<StackRecord>, ports: ApplyPorts): Promise<void> {
  const { update, last } = stack
  if (!update?.rollback || !last) return
  const { rollback } = update
  const deployment = await ports.deployments.find(stack.id, last.deploymentId)
  const undoes = deployment?.options.update?.undoes
  if (undoes === update.deploymentId && undoes !== null) {
    if (last.status === 'running') return
    if (last.status === 'succeeded') return save(stack, { ...rollback, state: 'done' }, ports)
    const error = deployment?.error ?? last.status
    if (rollback.attempts >= attemptsMax) return giveUp(stack, { ...rollback, error }, ports)
    if (rollback.error !== error) return save(stack, { ...rollback, error }, ports)
  } else if (last.deploymentId !== update.deploymentId) {
    return save(stack, { ...rollback, state: 'replaced' }, ports)
  }
  if (ports.clock.now() < rollback.nextAt) return
  const bad = await ports.deployments.find(stack.id, update.deploymentId ?? '')
  if (!bad) return save(stack, { ...rollback, state: 'replaced' }, ports)
  const attempts = rollback.attempts + 1
  const begun = { ...rollback, attempts, nextAt: ports.clock.now() + pause }
  await save(stack, begun, ports)
  await start(stack, bad, ports).catch(async (error) => {
    const text = publicMessage(error, 'the service failed')
    if (attempts >= attemptsMax) await giveUp(stack, { ...begun, error: text }, ports)
    else await save(stack, { ...begun, error: text }, ports)
  })
}

/** Deploys what ran before an update, with the rights that the update had. */
async function start(
  stack: Stored<StackRecord>,
  bad: Deployment,
  ports: ApplyPorts,
): Promise<void> {
  const { files, environment, profiles, options, reach = 'stack', mayUse = [] } = bad
  const { services, replicas, update } = options
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
      options: {
        ...plainOptions,
        services,
        withoutDependencies: true,
        ...(replicas && { replicas }),
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
  await save(stack, { ...rollback, state: 'failed' }, ports)
  await reportRollbackFailed(stack, rollback.error, ports)
}

/** Records how far the rollback is, unless the stack has another update now. */
async function save(
  { id, update }: StackRecord,
  rollback: UpdateRollback,
  ports: ApplyPorts,
): Promise<void> {
  const isSame = (now: StackRecord['update']) =>
    now?.deploymentId === update?.deploymentId && now?.rollback?.state === 'due'
  await changeStack(
    id,
    ({ update: now }) => (now && isSame(now) ? { update: { ...now, rollback } } : {}),
    ports,
  )
}
