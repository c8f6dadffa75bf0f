import type { Reply } from '../../api/client.ts'
import type { Stack } from '../../api/types.ts'
import { command } from '../../command.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { timeoutFlag, timeoutOf } from '../../flags/timeout-flag.ts'
import { sayStarted, withoutWaiting } from '../../follow/deploy.ts'
import { requestWithProgress } from '../../follow/request-with-progress.ts'
import { stackStatusText } from '../../output/stack-status.ts'
import { clean } from '../../output/text.ts'
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
    const { flags, client, print } = call
    const timeout_seconds = timeoutOf(flags)
    if (args.services.length > 0) return changeServices('stop', args, call, { timeout_seconds })
    const service = await client()
    await checkHost(service, args.name, flags.host)
    const { name } = args
    const options = { path: { name }, body: { timeout_seconds } }
    if (flags.detach) {
      const started = await service.post('/stacks/{name}/stop', { ...options, ...withoutWaiting })
      return sayStarted(started, print)
    }
    const stop = () =>
      service.post('/stacks/{name}/stop', { ...options, timeout: 0 }) as Promise<Reply<Stack>>
    const context = { client: service, print, io: call.io }
    const reply = await requestWithProgress({ name, kind: 'stop' }, stop, context)
    print.reply(reply, (stack) => print.line(`${clean(stack.name)} is ${stackStatusText(stack)}`))
  },
})
