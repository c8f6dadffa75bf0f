import { z } from 'zod'
import { movedText } from '../core/compose/plan/moved-images.ts'
import type { Needs } from '../core/ports.ts'
import { getStack } from '../core/stacks/locate.ts'
import { makeReady, plainOptions } from '../core/stacks/order.ts'
import type { LoadPorts } from '../core/stacks/project.ts'
import { endpoint } from '../kit/endpoint.ts'
import { capped } from '../kit/reply.ts'
import { PlanOrder, Step } from './deployment-schema.ts'
import { StackPath } from './schema.ts'

/** A longer plan is truncated. */
const stepsMax = 1000

export default endpoint({
  summary: 'Preview a deploy',
  description:
    'Lists every step with its reason, in order, and changes nothing. An empty list means that the stack is up to date. Files that ' +
    'were edited on the host come first, with the action `drift`: a deploy does not overwrite them unless `on_drift` is set. ' +
    'Images that moved on the host follow: running containers keep their image, and a deploy that would create a container from a moved image is refused.',
  access: 'stacks:read',
  changes: false,
  path: StackPath,
  body: PlanOrder.default({}),
  returns: z.array(Step).max(stepsMax),
  fails: {
    404: 'No stack has that name',
    409: 'A network or volume that the stack refers to conflicts with it',
    422: 'compose.yaml is invalid, exceeds a limit, or asks for something that the Engine does not support',
  },

  async run(
    { path, body },
    ports: Needs<'clock' | 'deployments' | 'engines' | 'hosts' | 'owners' | 'stacks' | 'texts'> &
      LoadPorts,
  ) {
    const stack = await getStack(path.name, ports)
    const environment = body.environment ?? null
    // The plan changes nothing, so permission to read the stack is enough to see it.
    const how = { environment, options: plainOptions, reach: 'host' as const }
    const order = { kind: 'deploy' as const, stack, files: stack.files, ...how }
    const { plan, drift, moved } = await makeReady(order, ports)
    const edited = drift.map(({ path: file, change }) => ({
      action: 'drift',
      kind: 'file',
      name: file,
      reason: `${change} on the host`,
    }))
    const steps = plan.steps.map(({ action, kind, name, reason }) => ({
      action,
      kind,
      name,
      reason,
    }))
    const images = moved.map((image) => ({
      action: 'drift',
      kind: 'image',
      name: image.reference,
      reason: movedText(image),
    }))
    return capped([...edited, ...images, ...steps], stepsMax)
  },
})
