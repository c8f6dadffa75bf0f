import { command } from '../../command.ts'
import { stackStatusText } from '../../output/stack-status.ts'
import { statusStyle } from '../../output/status-style.ts'
import { hostFor, hostNames } from '../../resolve/host.ts'

export default command({
  list: true,
  details: '\nLists the stacks of every host in your scope; with --host those of one host.',
  async run({ flags, client, print }) {
    const service = await client()
    const query = { host: await hostFor(service, flags.host) }
    const [reply, nameOf] = await Promise.all([
      service.get('/stacks', { query }),
      hostNames(service, print),
    ])
    print.reply(reply, (stacks) =>
      print.table(stacks, [
        { head: 'NAME', text: (stack) => stack.name },
        { head: 'HOST', text: (stack) => nameOf(stack.host) },
        { head: 'STATUS', text: (stack) => stackStatusText(stack), style: statusStyle },
        { head: 'ENVIRONMENT', text: (stack) => stack.environment },
      ]),
    )
  },
})
