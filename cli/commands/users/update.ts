import type { UserChange } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { scopeFields, scopeFlags, scopeTagsOf } from '../../flags/scope-flags.ts'
import { clean } from '../../output/text.ts'
import { openSecrets } from '../../prompt.ts'
import { findUser } from '../../resolve/find.ts'

const ownFlags = {
  '--name <username>': 'The new user name',
  '--role <role>': 'admin, operator, viewer, or a custom role',
  '--email <address>': 'An address for notices; an empty one removes it',
  ...scopeFlags,
  '--every-host': 'Remove all scope tags',
  '--disable': 'End the sessions, and reject logins and API tokens',
  '--enable': 'Allow logins again',
  '--password': 'Set a new password, which ends sessions and API tokens; you are asked for it',
  '--secret': 'The same as --password',
} as const

export default command({
  args: '<username>',
  flags: ownFlags,
  details: '\nUpdates an account, given by name or id. Fields without a flag are kept.',
  examples: ['cli users update olga --role operator --tag eu'],
  fields: { ...scopeFields, username: '--name' },
  run: update,
})

type Flags = Call<'<username>', typeof ownFlags>['flags']

async function update({ args, flags, client, print, io }: Call<'<username>', typeof ownFlags>) {
  const change = changeOf(flags)
  const service = await client()
  const { id } = await findUser(service, args.username)
  const password =
    flags.password || flags.secret ? await openSecrets(io).next('Password') : undefined
  const reply = await service.put('/users/{id}', {
    path: { id },
    body: { ...change, password },
  })
  print.reply(reply, (user) => print.line(`${clean(user.username)} is updated`))
}

function changeOf(flags: Flags): UserChange {
  if (flags.disable && flags.enable) throw wrongUsage('--disable and --enable: use only one')
  const tags = scopeTagsOf(flags)
  if (flags.everyHost && tags) throw wrongUsage('--every-host and --tag: use only one')
  return {
    username: flags.name,
    role: flags.role,
    email: flags.email === '' ? null : flags.email,
    scope_tags: flags.everyHost ? [] : tags,
    disabled: flags.disable ? true : flags.enable ? false : undefined,
  }
}
