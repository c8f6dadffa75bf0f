import { command } from '../../../command.ts'
import { printChannel } from '../channels.ts'

export default command({
  args: '<channel>',
  details: '\nShows a channel, given by name or id. Secrets are never shown.',
  examples: ['cli alerts channels get ops'],
  async run({ args, client, print }) {
    await printChannel(await client(), args.channel, print)
  },
})
