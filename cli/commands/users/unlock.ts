import { command } from '../../command.ts'
import { clean } from '../../output/text.ts'
import { findUser } from '../../resolve/find.ts'

export default command({
  args: '<username>',
  details: '\nEnds the lock after failed logins of an account, given by name or id.',
  async run({ args, client, print }) {
    const service = await client()
    const { id } = await findUser(service, args.username)
    print.reply(await service.post('/users/{id}/unlock', { path: { id } }), (user) =>
      print.line(`${clean(user.username)} is unlocked`),
    )
  },
})
