import type { Needs } from '../../core/ports/ports.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { liftImage } from '../../core/updates/lift-image.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { HeldBackPath } from './schema.ts'

export default endpoint({
  summary: 'Stop holding an image back',
  description:
    'The updates of the stack may take the image again, at the next time that its policy allows.',
  access: 'stacks:deploy',
  path: HeldBackPath,
  errors: {
    404: 'No stack has that name, or it does not hold that image back',
    409: 'The stack is being changed by another request',
  },

  async run({ path }, ports: Needs<'stacks'>) {
    await liftImage(await getStack(path.name, ports), path.digest, ports)
    return undefined
  },
})
