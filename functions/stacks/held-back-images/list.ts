import { z } from 'zod'
import { splitReference } from '../../compose/reference/image-reference.ts'
import { instant } from '../../core/access/fields.ts'
import type { Needs } from '../../core/ports/ports.ts'
import {
  type HeldBackImage as HeldBackRecord,
  heldBackMax,
} from '../../core/records/held-back-image.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { capped } from '../../kit/reply.ts'
import { StackPath } from '../schema.ts'
import { HeldBackImage } from './schema.ts'

export default endpoint({
  summary: 'List held-back images of a stack',
  description:
    'Images that an update took and that were bad, or that an account undid, the newest first. No update applies them again. A newer image of the same tag is another image, and is applied.',
  access: 'stacks:read',
  path: StackPath,
  returns: z.array(HeldBackImage).max(heldBackMax),
  errors: { 404: 'No stack has that name' },

  async run({ path }, ports: Needs<'stacks'>) {
    const { heldBack = [] } = await getStack(path.name, ports)
    return capped(heldBack.map(view), heldBackMax)
  },
})

const view = ({ name, before, deploymentId, at, ...image }: HeldBackRecord) => ({
  ...image,
  image: name,
  before: splitReference(before).digest ?? before,
  deployment_id: deploymentId,
  at: instant(at),
})
