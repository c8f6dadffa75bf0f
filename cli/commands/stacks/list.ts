import { command } from '../../command.ts'
import type { Stack } from '../../records.ts'
import { statusStyle } from '../../status-style.ts'

export default command({
  details: '\nLists the stacks of every host in your scope; with --host those of one host.',
  async run({ flags, client, print }) {
    const service = await client()
    const reply = await service.get<Stack[]>('/stacks', { query: { host: flags.host } })
    print.reply(reply, (stacks) =>
      print.table(stacks, [
        { head: 'NAME', text: (stack) => stack.name },
        { head: 'HOST', text: (stack) => stack.host },
        { head: 'STATUS', text: (stack) => stack.status, style: statusStyle },
      ]),
    )
  },
})
