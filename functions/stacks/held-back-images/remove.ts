import type { Needs } from '../../core/ports/ports.ts'
import { getStack } from '../../core/stacks/stack-record.ts'
import { allowImage } from '../../core/updates/allow-image.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { HeldBackPath } from './schema.ts'

export default endpoint({
  summary: 'Allow a held-back image again',
  description:
    'The updates of the stack may apply the image again, in the next window of its policy.',
  access: 'stacks:deploy',
  path: HeldBackPath,
  errors: {
    404: 'No stack has that name, or it does not hold that image back',
    409: 'The stack is being changed by another request',
  },

  async run({ path }, ports: Needs<'stacks'>) {
    await allowImage(await getStack(path.name, ports), path.digest, ports)
    return undefined
  },
})
