import { command } from '../../../command.ts'
import { checkHost } from '../../../resolve/host.ts'
import { printDeployment } from '../deployments.ts'

export default command({
  args: '<name> <deployment>',
  details:
    '\nShows a deployment of a stack and its steps, given by id, its beginning or `previous`. For a stack that is called get,\nuse `cli stacks deployments -- get` to list its deployments.',
  examples: ['cli stacks deployments get shop previous'],
  fields: { id: '<deployment>' },
  async run({ args, flags, client, print }) {
    const service = await client()
    await checkHost(service, args.name, flags.host)
    await printDeployment(service, args, print)
  },
})
