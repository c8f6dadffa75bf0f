import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'
import { findUser } from '../../resolve/find.ts'

export default command({
  args: '<username>',
  flags: yesFlag,
  details: `
Deletes an account, given by name or id, with its sessions, passkeys and API tokens. Backup jobs and jobs of stacks that
act as it are blocked until someone takes them over: cli backups take-over, cli stacks jobs update --take-over.`,
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const { id, username } = await findUser(service, args.username)
    await confirm(`Delete the user ${clean(username)}?`)
    const reply = await service.delete('/users/{id}', { path: { id } })
    print.reply(reply, () => print.line(`${clean(username)} is deleted`))
  },
})
