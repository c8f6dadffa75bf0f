import type { NewAlertChannel } from '../../../api/types.ts'
import { type Call, command } from '../../../command.ts'
import { wrongUsage } from '../../../failure.ts'
import {
  askChannelSecrets,
  channelFields,
  channelFlags,
  channelKinds,
  checkChannelFlags,
  readChannelFlags,
} from '../../../flags/channel-flags.ts'
import { choiceOf } from '../../../flags/choice.ts'
import { userOf } from '../../../flags/user-flags.ts'
import { clean } from '../../../output/text.ts'
import { openSecrets } from '../../../prompt.ts'

const ownFlags = {
  '--kind <kind>':
    'webhook, slack, discord, teams, ntfy, gotify, telegram, pushover, matrix, apprise or smtp',
  ...channelFlags,
} as const

export default command({
  args: '<name>',
  flags: ownFlags,
  details: `
The client asks for what gives access to the channel: the URL of a webhook and its signing secret, the URL of a Slack,
Discord or Teams webhook, the topic at ntfy, the token of Gotify, a Telegram bot or Matrix, the token and user key of
Pushover, the key of a configuration at Apprise, the password of a mail account. If standard input is not a terminal,
they are its first lines. Test the channel with \`cli alerts test\`.`,
  examples: [
    'cli alerts channels create ops --kind slack < url.txt',
    'cli alerts channels create phone --kind telegram --chat -1001234567890',
    'cli alerts channels create mail --kind smtp --mail-server mx.example.org --from a@example.org --to b@example.org',
  ],
  fields: channelFields,
  run: create,
})

async function create({ args, flags, client, print, io }: Call<'<name>', typeof ownFlags>) {
  const kind = choiceOf('--kind', flags.kind, channelKinds)
  if (kind === undefined) throw wrongUsage('--kind <kind> is required')
  checkChannelFlags(kind, flags)
  const given = readChannelFlags(flags)
  const { withToken, withUrls } = flags
  const account = { withToken, withUrls, username: userOf(flags) }
  const service = await client()
  const secrets = await askChannelSecrets(kind, account, openSecrets(io))
  // The service checks which fields a channel of this kind has.
  const fields = { name: args.name, kind, ...given, ...secrets }
  const body = fields as NewAlertChannel
  print.reply(await service.post('/alert-channels', { body }), (channel) => {
    print.line(`${clean(channel.name)} is created`)
    print.note(`  next: cli alerts test ${clean(channel.name)}`)
  })
}
