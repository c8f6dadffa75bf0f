import type { NewRegistry } from '../../api/types.ts'
import { type Call, command } from '../../command.ts'
import { wrongUsage } from '../../failure.ts'
import { userFields, userFlags, userOf } from '../../flags/user-flags.ts'
import { clean } from '../../output/text.ts'
import { openSecrets } from '../../prompt.ts'

const ownFlags = userFlags('The user name at the registry')

export default command({
  args: '<address>',
  flags: ownFlags,
  details: `
The address is the part of an image name before the first slash; \`docker.io\` for Docker Hub. The client asks for the
password or a token of the registry; if standard input is not a terminal, its first line is used.`,
  examples: ['cli registries create registry.example.org:5000 --user puller < token.txt'],
  fields: userFields,
  run: create,
})

async function create({ args, flags, client, print, io }: Call<'<address>', typeof ownFlags>) {
  const username = userOf(flags)
  if (username === undefined) throw wrongUsage('--user <name> is required')
  const service = await client()
  const password = await openSecrets(io).next('Password')
  const body: NewRegistry = { address: args.address, username, password }
  print.reply(await service.post('/registries', { body }), ({ address }) =>
    print.line(`the credentials of ${clean(address)} are stored`),
  )
}
