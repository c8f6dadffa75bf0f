import { startDeployment } from '../../deploy/deploy.ts'
import { plainOptions } from '../../deploy/request.ts'
import { Failure } from '../../errors.ts'
import type { Deployment, DeployOptions } from '../../records/deployment.ts'
import { getStack } from '../../stacks/stack-record.ts'
import { retryTransient } from '../../time/retry-transient.ts'
import { refuseEndedUndo } from './refuse-ended-undo.ts'
import type { RestoreUndo } from './restore-plan.ts'
import { type RestoreWork, retryOptions } from './restore-work.ts'

/**
 * Deploys the restored stacks with their files from the backup. Returns the errors as text, or
 * undefined.
 */
export async function deployStacks(work: RestoreWork): Promise<string | undefined> {
  const troubles: string[] = []
  for (const { name } of work.plan.stacks) {
    work.recorder.progress({ part: `deploying ${name}` })
    const trouble = await deploy(name, work).catch((error) => {
      if (!(error instanceof Failure)) throw error
      return error.message
    })
    if (trouble) troubles.push(`stack ${name} is restored, but could not be deployed: ${trouble}`)
  }
  return troubles.length > 0 ? troubles.join('; ') : undefined
}

async function deploy(name: string, work: RestoreWork): Promise<string | null> {
  // Another operation of the stack may be in progress.
  const attempt = () => deployed(name, work)
  const { error, status } = await retryTransient(attempt, retryOptions(work), work.ports)
  return status === 'succeeded' ? null : (error ?? status)
}

async function deployed(name: string, work: RestoreWork): Promise<Deployment> {
  const { ports, by, reach, mayDeploy, undo } = work
  await refuseEndedUndo(work)
  const stack = await getStack(name, ports)
  const { files, environment } = undo?.deployed ?? stack
  const options = { ...plainOptions, overwriteDrift: true, acceptImages: true, ...optionsOf(undo) }
  const rights = { reach, mayDeploy }
  const request = {
    kind: 'deploy' as const,
    stack,
    files,
    environment,
    ...rights,
    options,
    ...(undo && { profiles: undo.deployed.profiles }),
    continues: true as const,
  }
  const { finished } = await startDeployment(request, by, ports)
  return (await finished).deployment
}

/** An update is taken back for its services only: others stay as users left them. */
const optionsOf = (undo: RestoreUndo | undefined): Partial<DeployOptions> =>
  undo
    ? {
        services: undo.services,
        withoutDependencies: true,
        retag: undo.retag,
        update: { ...undo.update, undoes: undo.deploymentId },
      }
    : {}
