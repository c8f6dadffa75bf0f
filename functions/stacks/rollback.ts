import type { DeployPorts } from '../core/deploy/request.ts'
import { startRollback } from '../core/deploy/rollback.ts'
import { hostNames } from '../core/hosts/host-names.ts'
import type { Needs } from '../core/ports/ports.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { operationHeaders, WaitQuery } from '../kit/wait.ts'
import { Deployment, RollbackBody } from './deployment-schema.ts'
import { StackPath } from './schema.ts'
import { acceptedDeployment, endedDeployment } from './view.ts'

export default endpoint({
  summary: 'Roll a stack back',
  description:
    'Deploys an earlier deployment again: its files, environment and image digests, even if a tag has moved since. ' +
    'Its files become the newest revision of the stack; services added later are removed. The response is that of a deploy.',
  access: 'stacks:deploy',
  atService: true,
  path: StackPath,
  query: WaitQuery,
  body: RollbackBody,
  returns: Deployment,
  otherResponses: { 202: 'With wait=false: the deployment has started' },
  responseHeaders: operationHeaders(200),
  noTimeout: true,
  beginsWithLease: true,
  errors: {
    404: 'No stack has that name, or the stack has no such deployment',
    409: 'A deployment of the stack is running, the target did not succeed, its images are gone, files were edited on the host, its files refer to what an account that saved them may not use, or another container has a name or port that it needs',
    422: 'Its files use something that the Engine does not support',
  },

  async run({ path, query, body, caller, trail }, ports: DeployPorts & Needs<'hosts'>) {
    const stack = await getStack(path.name, ports)
    const nameOf = await hostNames(ports)
    const { deployment, finished, startRecorded } = await startRollback(
      stack,
      {
        deploymentId: body.deployment_id,
        overwriteDrift: body.on_drift === 'overwrite',
        acceptReferences: body.accept_references,
        trail: query.wait ? undefined : trail(),
      },
      caller,
      ports,
    )
    if (query.wait) return endedDeployment((await finished).deployment, nameOf)
    await startRecorded()
    return acceptedDeployment(deployment, nameOf)
  },
})
