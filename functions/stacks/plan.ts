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
  summary: 'Show what a deploy would do',
  description:
    'Every step with its reason, in order. Changes nothing; an empty list means that all is as it should be. Files that ' +
    'were edited on the host come first, with the action `drift`: a deploy refuses to overwrite them unless told what to do. ' +
    'Images that moved on the host follow: running containers keep theirs, and a deploy that would create a container from one is refused.',
  access: 'stacks:read',
  changes: false,
  path: StackPath,
  body: PlanOrder.default({}),
  returns: z.array(Step).max(stepsMax),
  fails: {
    404: 'No stack has that name',
    409: 'A network or volume that it refers to is in the way',
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
