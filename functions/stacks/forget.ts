import type { Needs } from '../core/ports/ports.ts'
import { type ForgetStackPorts, forgetStack } from '../core/stacks/forget-stack.ts'
import { getStack } from '../core/stacks/stack-record.ts'
import { endpoint } from '../kit/endpoint.ts'
import { StackPath } from './schema.ts'

export default endpoint({
  summary: 'Forget a stack',
  description:
    'Deletes the records of the service: the stack, its stored files and its deployments. Nothing changes on its host: containers keep running, and networks, volumes and files stay. ' +
    'The project can be managed with `docker compose`, and adopted again. Backups stay; backup jobs of the stack stay and fail until you delete them.',
  access: 'stacks:delete',
  atService: true,
  path: StackPath,
  errors: {
    404: 'No stack has that name',
    409: 'A deployment of the stack is running, or the stack was deleted and created again meanwhile',
  },

  async run({ path, caller }, ports: ForgetStackPorts & Needs<'hosts'>) {
    await forgetStack(await getStack(path.name, ports), undefined, caller, ports)
    return undefined
  },
})
