import type { NewUser } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { scopeFields, scopeFlags, scopeTagsOf } from '../../flags/scope-flags.ts'
import { clean } from '../../output/text.ts'
import { openSecrets } from '../../prompt.ts'

const ownFlags = {
  '--role <role>': 'admin, operator, viewer, or a custom role; defaults to viewer',
  '--email <address>': 'An address for notices',
  ...scopeFlags,
} as const

export default command({
  args: '<username>',
  flags: ownFlags,
  details:
    '\nThe client asks for the password; if standard input is not a terminal, its first line is used.',
  fields: scopeFields,
  run: create,
})

async function create({ args, flags, client, print, io }: Call<'<username>', typeof ownFlags>) {
  const service = await client()
  const password = await openSecrets(io).next('Password')
  const body: NewUser = {
    username: args.username,
    password,
    role: flags.role ?? 'viewer',
    email: flags.email,
    scope_tags: scopeTagsOf(flags),
  }
  print.reply(await service.post('/users', { body }), (user) =>
    print.line(`${clean(user.username)} is created (${clean(user.role)})`),
  )
}
