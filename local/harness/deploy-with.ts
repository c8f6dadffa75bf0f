import { present } from '../../adapters/testing/present.ts'
import { startDeployment } from '../../functions/core/deploy/deploy.ts'
import { type DeployPorts, plainOptions } from '../../functions/core/deploy/request.ts'
import type { Deployment, DeployOptions } from '../../functions/core/records/deployment.ts'

/** Deploys the files of a stack with options that the API does not have. */
export async function deployWith(
  name: string,
  options: Partial<DeployOptions>,
  ports: DeployPorts,
): Promise<Deployment> {
  const stack = present(await ports.stacks.find(name))
  const { files, environment } = stack
  const asked = { ...plainOptions, ...options }
  const request = { kind: 'deploy', stack, files, environment, options: asked } as const
  const by = { id: 'a', username: 'ada' }
  const { finished } = await startDeployment({ ...request, reach: 'host' }, by, ports)
  return (await finished).deployment
}
