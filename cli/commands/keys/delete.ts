import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { confirmation, yesFlag } from '../../prompt.ts'

export default command({
  args: '<id>',
  flags: yesFlag,
  details:
    '\nDeletes a key that no longer encrypts any stored value. Backups made with the key can no longer be read.',
  async run({ args, flags, client, print, io }) {
    const confirm = confirmation(io, flags)
    const service = await client()
    const id = clean(args.id)
    await confirm(`Delete the key ${id}? Backups made with it can no longer be read.`)
    const reply = await service.delete('/secret-keys/{id}', { path: { id: args.id }, timeout: 0 })
    print.reply(reply, () => print.line(`${id} is deleted`))
  },
})
