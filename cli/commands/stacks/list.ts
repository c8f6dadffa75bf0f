import { command } from '../../command.ts'
import { stackStatusText } from '../../output/stack-status.ts'
import { statusStyle } from '../../output/status-style.ts'
import { hostFor, hostOf } from '../../resolve/host.ts'

export default command({
  list: true,
  details: '\nLists the stacks of every host in your scope; with --host those of one host.',
  async run({ flags, client, print }) {
    const service = await client()
    const query = { host: await hostFor(service, flags.host) }
    print.reply(await service.get('/stacks', { query }), (stacks) =>
      print.table(stacks, [
        { head: 'NAME', text: (stack) => stack.name },
        { head: 'HOST', text: (stack) => hostOf(stack) },
        { head: 'STATUS', text: (stack) => stackStatusText(stack), style: statusStyle },
        { head: 'ENVIRONMENT', text: (stack) => stack.environment },
      ]),
    )
  },
})
