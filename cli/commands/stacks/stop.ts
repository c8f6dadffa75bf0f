import { command } from '../../command.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { timeoutFlag, timeoutOf } from '../../flags/timeout-flag.ts'
import { asDeployment, showDeployment, withoutWaiting } from '../../follow/deploy.ts'
import { checkHost } from '../../resolve/host.ts'
import { changeServices } from '../../stacks/change-services.ts'

export default command({
  args: '<name> [...services]',
  nameFromFolder: true,
  flags: { ...timeoutFlag, ...detachFlag },
  progress: true,
  details: `
Without services: removes all containers of the stack. Volumes and networks are kept. With services: stops their
containers and keeps them; \`cli stacks start\` starts them again.`,
  examples: ['cli stacks stop shop', 'cli stacks stop shop web --timeout 30'],
  fields: { timeout_seconds: '--timeout' },
  async run({ args, ...call }) {
    const { flags, client, print, io } = call
    const timeout_seconds = timeoutOf(flags)
    if (args.services.length > 0) return changeServices('stop', args, call, { timeout_seconds })
    const { name } = args
    const service = await client()
    await checkHost(service, name, flags.host)
    const options = { path: { name }, body: { timeout_seconds }, ...withoutWaiting }
    const started = await service.post('/stacks/{name}/stop', options)
    const { detach } = flags
    await showDeployment(asDeployment(started), { client: service, print, io, detach })
  },
})
