import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { pathOfUser } from '../../find-user.ts'
import { openSecrets } from '../../prompt.ts'
import type { User, UserChange } from '../../records.ts'
import { clean } from '../../text.ts'

const ownFlags = {
  '--name <username>': 'Another user name',
  '--role <role>': 'admin, operator, viewer, or one of your own',
  '--email <address>': 'An address for notices; an empty one takes it away',
  '--scope-tag <...tag>': 'Only hosts with this tag; may be given again',
  '--every-host': 'No scope tags any more',
  '--disable': 'Ends the sessions, and no login is taken',
  '--enable': 'Logins are taken again',
  '--password': 'A new password, which is asked for',
} as const

export default command({
  args: '<username>',
  flags: ownFlags,
  details: '\nBy name or id. What is not given stays.',
  examples: ['cli users update olga --role operator --scope-tag eu'],
  run: update,
})

type Flags = Call<'<username>', typeof ownFlags>['flags']

async function update({ args, flags, client, print, io }: Call<'<username>', typeof ownFlags>) {
  const change = changeOf(flags)
  const service = await client()
  const path = await pathOfUser(service, args.username)
  const password = flags.password ? await openSecrets(io).next('Password') : undefined
  const reply = await service.put<User>(path, { body: { ...change, password } })
  print.reply(reply, (user) => print.line(`${clean(user.username)} is changed`))
}

function changeOf(flags: Flags): UserChange {
  if (flags.disable && flags.enable) throw wrongUsage('--disable and --enable: take one')
  if (flags.everyHost && flags.scopeTag.length > 0) {
    throw wrongUsage('--every-host and --scope-tag: take one')
  }
  const limited = flags.everyHost || flags.scopeTag.length > 0
  return {
    username: flags.name,
    role: flags.role,
    email: flags.email === '' ? null : flags.email,
    scope_tags: limited ? flags.scopeTag : undefined,
    disabled: flags.disable ? true : flags.enable ? false : undefined,
  }
}
