import type { AlertChannelChange } from '../../../api/types.ts'
import { type Call, command } from '../../../command.ts'
import { wrongUsage } from '../../../failure.ts'
import {
  askChannelSecrets,
  channelFields,
  channelFlags,
  checkChannelFlags,
  readChannelFlags,
} from '../../../flags/channel-flags.ts'
import { userOf } from '../../../flags/user-flags.ts'
import { clean } from '../../../output/text.ts'
import { openSecrets } from '../../../prompt.ts'
import { findChannel } from '../../../resolve/find.ts'

const ownFlags = {
  '--name <name>': 'Rename the channel',
  '--secret': 'Ask for its URL, secret, topic, token, key or password again',
  '--secrets': 'The same as --secret',
  ...channelFlags,
} as const

export default command({
  args: '<channel>',
  flags: ownFlags,
  details: `
Updates a channel, given by name or id. Settings without a flag are kept, secrets included. A new server, account,
sender or recipient needs --secret: the stored ones serve only what they were given for.`,
  examples: ['cli alerts channels update mail --to ada@example.org --to olga@example.org --secret'],
  fields: {
    ...channelFields,
    name: '--name',
    password: '--secret',
    secret: '--secret',
    token: '--secret',
    topic: '--secret',
    key: '--secret',
    urls: '--secret',
  },
  run: update,
})

async function update({ args, flags, client, print, io }: Call<'<channel>', typeof ownFlags>) {
  const given = readChannelFlags(flags)
  const asks = flags.secret || flags.secrets || flags.withToken || flags.withUrls
  if (flags.name === undefined && !asks && Object.keys(given).length === 0)
    throw wrongUsage('nothing to change: give at least one flag')
  const service = await client()
  const found = await findChannel(service, args.channel)
  const { id, kind } = found
  checkChannelFlags(kind, flags)
  const account = {
    // The token of ntfy that is stored is asked for again, too.
    withToken: flags.withToken || found.secrets.includes('token'),
    withUrls: flags.withUrls || found.secrets.includes('urls'),
    username: userOf(flags) ?? found.username ?? undefined,
  }
  const secrets = asks ? await askChannelSecrets(kind, account, openSecrets(io)) : {}
  const fields = { ...given, ...secrets, ...(flags.name !== undefined && { name: flags.name }) }
  const body = fields as AlertChannelChange
  print.reply(await service.put('/alert-channels/{id}', { path: { id }, body }), (channel) =>
    print.line(`${clean(channel.name)} is updated`),
  )
}
