import { generateSync } from 'otplib'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import login from '../../functions/auth/login.ts'
import beginMfa from '../../functions/me/mfa/create.ts'
import verifyMfa from '../../functions/me/mfa/verify.ts'
import { call } from './call.ts'
import { accountOf } from './sign-in.ts'

/** Returns the TOTP code of this secret at a time in milliseconds. */
export const codeAt = (secret: string, now: number): string =>
  generateSync({ secret, epoch: Math.floor(now / 1000) })

/** How long a code is valid. Milliseconds. */
export const step = 30_000

const password = 'correct horse battery'

/** Returns ports with a signed-in account `anna`, and the requests for her second factor. */
export async function annaWorld() {
  const ports = memoryPorts()
  const passwordHash = await ports.passwords.hash(password)
  const anna = await accountOf(ports, { username: 'anna', role: 'operator', passwordHash })
  const attempt = (more: object = {}) =>
    call(login, { ports, body: { username: 'anna', password, ...more } })
  const { access_token: token } = (await attempt()).json
  const begin = (body: object = { password }, as: { token: string } = { token }) =>
    call(beginMfa, { ports, body, as })
  const verify = (totp_code: string, as: { token: string } = { token }) =>
    call(verifyMfa, { ports, body: { totp_code }, as })
  return {
    ports,
    anna,
    token,
    password,
    attempt,
    begin,
    verify,
    account: async () => present(await ports.accounts.find(anna.id)),
    /** Enables the second factor and advances the clock to the next code, which is unused. */
    async enable() {
      const { secret } = (await begin()).json
      const { recovery_codes } = (await verify(codeAt(secret, ports.clock.now()))).json
      ports.clock.advance(step)
      const code = (ahead = 0) => codeAt(secret, ports.clock.now() + ahead)
      return { secret, code, recovery: recovery_codes as string[] }
    },
  }
}
