import type { Reply } from '../../api/client.ts'
import type { RestartBody, Stack } from '../../api/types.ts'
import { command } from '../../command.ts'
import { detachFlag } from '../../flags/detach-flag.ts'
import { timeoutFlag, timeoutOf } from '../../flags/timeout-flag.ts'
import { sayStarted, withoutWaiting } from '../../follow/deploy.ts'
import { requestWithProgress } from '../../follow/request-with-progress.ts'
import { stackStatusText } from '../../output/stack-status.ts'
import { clean } from '../../output/text.ts'
import { checkHost } from '../../resolve/host.ts'
import { changeServices, nothingRestarted } from '../../stacks/change-services.ts'

/** A restart starts containers that were stopped, so that then there were none. */
const hasNothingUp: readonly Stack['status'][] = ['not_deployed', 'stopped']

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
    const { flags, client, print } = call
    const timeout_seconds = timeoutOf(flags)
    if (args.services.length > 0) return changeServices('restart', args, call, { timeout_seconds })
    const service = await client()
    await checkHost(service, args.name, flags.host)
    const body: RestartBody = { timeout_seconds }
    const { name } = args
    const options = { path: { name }, body }
    if (flags.detach) {
      const started = await service.post('/stacks/{name}/restart', {
        ...options,
        ...withoutWaiting,
      })
      return sayStarted(started, print)
    }
    const restart = () =>
      service.post('/stacks/{name}/restart', { ...options, timeout: 0 }) as Promise<Reply<Stack>>
    const context = { client: service, print, io: call.io }
    const reply = await requestWithProgress({ name, kind: 'restart' }, restart, context)
    print.reply(reply, (stack) => print.line(`${clean(stack.name)} is ${stackStatusText(stack)}`))
    if (hasNothingUp.includes(reply.value.status)) throw nothingRestarted(name)
  },
})
