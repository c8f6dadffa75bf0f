import type { Needs } from '../core/ports.ts'
import { getStack } from '../core/stacks/locate.ts'
import { beginRollback } from '../core/stacks/rollback.ts'
import type { RunPorts } from '../core/stacks/run.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Reply } from '../kit/reply.ts'
import { Deployment, DeployQuery, RollbackOrder } from './deployment-schema.ts'
import { StackPath } from './schema.ts'
import { deploymentView } from './view.ts'

export default endpoint({
  summary: 'Roll a stack back',
  description:
    'Deploys an earlier deployment again: its files, environment and image digests, even if a tag has moved since. ' +
    'Its files become the newest revision of the stack; services added later are removed. The response is that of a deploy.',
  access: 'stacks:deploy',
  path: StackPath,
  query: DeployQuery,
  body: RollbackOrder,
  returns: Deployment,
  also: { 202: 'With wait=false: the deployment has started' },
  waits: true,
  beginsWithLease: true,
  fails: {
    404: 'No stack has that name, or the stack has no such deployment',
    409: 'A deployment of the stack is running, the target did not succeed, its images are gone, or files were edited on the host',
    422: 'Its files use something that the Engine does not support',
  },

  async run({ path, query, body, caller, end }, ports: RunPorts & Needs<'hosts'>) {
    const stack = await getStack(path.name, ports)
    const run = await beginRollback(
      stack,
      { deploymentId: body.deployment_id, overwriteDrift: body.on_drift === 'overwrite' },
      caller,
      ports,
      query.wait ? end : undefined,
    )
    if (query.wait) return deploymentView(await run.done)
    await run.marked()
    return new Reply(deploymentView(run.deployment), { status: 202 })
  },
})
