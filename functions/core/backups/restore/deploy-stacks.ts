import { startDeployment } from '../../deploy/deploy.ts'
import { plainOptions } from '../../deploy/request.ts'
import { Failure, isTransient } from '../../errors.ts'
import type { Deployment } from '../../records/deployment.ts'
import { getStack } from '../../stacks/stack-record.ts'
import type { RestoreWork } from './restore-work.ts'

/**
 * Attempts to start a deployment while another operation of the stack is in progress or the Engine
 * is busy, and the milliseconds between them.
 */
const triesMax = 30
const pause = 1000

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
  const { error, status } = await deployed(name, work)
  return status === 'succeeded' ? null : (error ?? status)
}

async function deployed(name: string, work: RestoreWork): Promise<Deployment> {
  const { ports, by, reach, mayDeploy, signal } = work
  for (let tries = 1; ; tries += 1) {
    const stack = await getStack(name, ports)
    const { files, environment } = stack
    const options = { ...plainOptions, overwriteDrift: true, acceptImages: true }
    const rights = { reach, mayDeploy }
    const request = { kind: 'deploy' as const, stack, files, environment, ...rights, options }
    try {
      const { finished } = await startDeployment(request, by, ports)
      return (await finished).deployment
    } catch (error) {
      const passes = isTransient(error) || (error instanceof Failure && error.status === 409)
      if (!passes || tries >= triesMax) throw error
      await ports.clock.sleep(pause, signal)
      signal.throwIfAborted()
    }
  }
}
