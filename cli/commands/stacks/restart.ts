import { command } from '../../command.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { timeoutFlag, timeoutOf } from '../../flags/timeout-flag.ts'
import { asDeployment, showDeployment, withoutWaiting } from '../../follow/deploy.ts'
import { checkHost } from '../../resolve/host.ts'
import { changeServices, nothingRestarted } from '../../stacks/change-services.ts'

export default command({
  args: '<name> [...services]',
  nameFromFolder: true,
  flags: { ...timeoutFlag, ...detachFlag },
  progress: true,
  details: `
Restarts all services, or the named ones one after the other, with their steps on standard error as they happen. No
container is recreated: changed files take effect with the next deploy. Exits with 1 if there is nothing to restart.`,
  examples: ['cli stacks restart shop', 'cli stacks restart shop web --timeout 30'],
  fields: { timeout_seconds: '--timeout' },
  async run({ args, ...call }) {
    const { flags, client, print, io } = call
    const timeout_seconds = timeoutOf(flags)
    if (args.services.length > 0) return changeServices('restart', args, call, { timeout_seconds })
    const { name } = args
    const service = await client()
    await checkHost(service, name, flags.host)
    const options = { path: { name }, body: { timeout_seconds }, ...withoutWaiting }
    const started = await service.post('/stacks/{name}/restart', options)
    const { detach } = flags
    const how = { client: service, print, io, detach }
    const { steps } = await showDeployment(asDeployment(started), how)
    if (!detach && steps.length === 0) throw nothingRestarted(name)
  },
})
