import { withAdminLock } from '../core/access/admins.ts'
import { newAccount, showUser, User } from '../core/access/user.ts'
import { forbidden, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { unsignedBodyLimit } from '../kit/params.ts'
import { SetupBody } from './schema.ts'

type Ports = Needs<
  | 'accounts'
  | 'attempts'
  | 'setup'
  | 'passwords'
  | 'leases'
  | 'background'
  | 'random'
  | 'clock'
  | 'settings'
>

export default endpoint({
  summary: 'Create the first admin',
  description: 'Works only once, with the secret that the service printed at its first start.',
  access: 'public',
  body: SetupBody,
  bodyLimit: unsignedBodyLimit,
  returns: User,
  status: 201,
  errors: {
    403: 'The secret is wrong',
    404: 'The service is already set up',
    409: 'Another request is setting the service up',
  },
  examples: {
    body: { secret: 'the printed secret', username: 'anna', password: 'correct horse battery' },
  },

  async run({ body }, ports: Ports) {
    await refuseIfDone(ports)
    if (!(await ports.setup.matches(body.secret))) throw forbidden('the set-up secret is wrong')
    const passwordHash = await ports.passwords.hash(body.password)
    return withAdminLock(ports, async (ensureLock) => {
      await refuseIfDone(ports)
      const id = ports.random.id()
      const given = { id, username: body.username, role: 'admin', passwordHash }
      const account = newAccount(given, ports.clock.now())
      ensureLock()
      if (!(await ports.accounts.create(account))) throw alreadyDone()
      // The account is created first: after a crash between the two writes there is an admin who
      // can log in.
      await ports.setup.consume()
      return showUser(account, ports)
    })
  },
})

const alreadyDone = () => notFound('the service is already set up')

async function refuseIfDone(ports: Needs<'setup' | 'accounts'>) {
  if (!(await ports.setup.open()) || (await ports.accounts.any())) throw alreadyDone()
}
