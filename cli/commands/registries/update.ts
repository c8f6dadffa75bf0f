import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { userFields, userFlags, userOf } from '../../flags/user-flags.ts'
import { clean } from '../../output/text.ts'
import { openSecrets } from '../../prompt.ts'

const ownFlags = {
  ...userFlags('The user name at the registry'),
  '--password': 'Set a new password or token; you are asked for it',
  '--secret': 'The same as --password',
} as const

export default command({
  args: '<address>',
  flags: ownFlags,
  details: `
Changes stored credentials. Fields without a flag stay. With --password the client asks for the password or a token of
the registry; if standard input is not a terminal, its first line is used.`,
  examples: ['cli registries update registry.example.org:5000 --password < token.txt'],
  fields: { ...userFields, id: '<address>' },
  run: update,
})

async function update({ args, flags, client, print, io }: Call<'<address>', typeof ownFlags>) {
  const username = userOf(flags)
  const asks = flags.password || flags.secret
  if (username === undefined && !asks)
    throw wrongUsage('nothing to change: give --user or --password')
  const service = await client()
  const password = asks ? await openSecrets(io).next('Password') : undefined
  const options = { path: { id: args.address }, body: { username, password } }
  print.reply(await service.put('/registries/{id}', options), ({ address }) =>
    print.line(`the credentials of ${clean(address)} are updated`),
  )
}
