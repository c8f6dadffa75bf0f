import { type Call, command } from '../../command.ts'
import { pathOfUser } from '../../find-user.ts'
import { confirmed } from '../../prompt.ts'
import { clean } from '../../text.ts'

const ownFlags = { '--yes': 'Do not ask' } as const

export default command({
  args: '<username>',
  flags: ownFlags,
  details: '\nDeletes an account, given by name or id, with its sessions and API tokens.',
  run: remove,
})

async function remove({ args, flags, client, print, io }: Call<'<username>', typeof ownFlags>) {
  const service = await client()
  const path = await pathOfUser(service, args.username)
  if (!flags.yes) await confirmed(io, `Delete the user ${clean(args.username)}?`, '--yes')
  print.reply(await service.delete(path), () => print.line(`${clean(args.username)} is deleted`))
}
