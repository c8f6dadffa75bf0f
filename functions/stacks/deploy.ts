import type { Needs } from '../core/ports.ts'
import { started } from '../core/promises.ts'
import { beginDeployment } from '../core/stacks/begin.ts'
import { importDrift } from '../core/stacks/import-drift.ts'
import { betweenDeployments, seeStack } from '../core/stacks/lease.ts'
import { getStack } from '../core/stacks/locate.ts'
import { plainOptions } from '../core/stacks/order.ts'
import { placeStack } from '../core/stacks/place.ts'
import { deploysStacks, reachOf } from '../core/stacks/reach.ts'
import type { RunPorts } from '../core/stacks/run.ts'
import { endpoint } from '../kit/endpoint.ts'
import { Reply } from '../kit/reply.ts'
import { Deployment, DeployOrder, DeployQuery } from './deployment-schema.ts'
import { StackPath } from './schema.ts'
import { deploymentView } from './view.ts'

export default endpoint({
  summary: 'Deploy a stack',
  description:
    'Brings the stack up, changing only what differs. The response is sent when the deployment has ended, even if it failed: see `status` and `error`.',
  access: 'stacks:deploy',
  path: StackPath,
  query: DeployQuery,
  body: DeployOrder.default({}),
  returns: Deployment,
  also: { 202: 'With wait=false: the deployment has started' },
  waits: true,
  beginsWithLease: true,
  fails: {
    404: 'No stack or host has that name',
    409: 'A deployment of the stack is running, the stack is on another host, or its files were edited on the host',
    422: 'compose.yaml does not parse, or uses something that the Engine does not support',
  },

  async run({ path, query, body, caller, begin, end }, ports: RunPorts & Needs<'hosts'>) {
    // Peeks before it is known whether the stack exists.
    const sight = started(seeStack(path.name, ports))
    const found = await getStack(path.name, ports)
    const isElsewhere = body.host !== undefined && body.host !== found.hostId
    const prepares = isElsewhere || body.on_drift === 'import'
    const prepared = async () => {
      const placed = await placeStack(await getStack(path.name, ports), body.host, caller, ports)
      return body.on_drift === 'import' ? importDrift(placed, reachOf(caller), ports) : placed
    }
    // Placing the stack or importing drift writes before the deployment starts.
    if (prepares) await begin()
    const stack = prepares ? await betweenDeployments(path.name, ports, prepared) : found
    const seeing = prepares ? seeStack(path.name, ports) : sight
    const run = await beginDeployment(
      {
        kind: 'deploy',
        stack,
        files: stack.files,
        environment: body.environment ?? null,
        reach: reachOf(caller),
        mayDeploy: deploysStacks(caller, ports),
        options: {
          ...plainOptions,
          pull: body.pull ?? null,
          forceRecreate: body.force_recreate ?? false,
          removeOrphans: body.remove_orphans ?? false,
          overwriteDrift: body.on_drift === 'overwrite',
          acceptImages: body.on_drift === 'import',
        },
      },
      caller.account.username,
      ports,
      { seeing, onEnd: query.wait ? end : undefined },
    )
    if (query.wait) return deploymentView(await run.done)
    await run.marked()
    return new Reply(deploymentView(run.deployment), { status: 202 })
  },
})
