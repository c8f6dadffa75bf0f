import { command } from '../../command.ts'
import { pathOfUser } from '../../find-user.ts'
import type { User } from '../../records.ts'
import { clean } from '../../text.ts'

export default command({
  args: '<username>',
  details: '\nEnds the lock after failed logins of an account, given by name or id.',
  async run({ args, client, print }) {
    const service = await client()
    const path = await pathOfUser(service, args.username)
    print.reply(await service.post<User>(`${path}/unlock`), (user) =>
      print.line(`${clean(user.username)} is unlocked`),
    )
  },
})
