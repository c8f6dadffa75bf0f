import type { MemoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import {
  type Deviation,
  softwareAuthenticator,
} from '../../adapters/testing/software-authenticator.ts'
import passkeyLogin from '../../functions/auth/browser/passkey.ts'
import getPasskeys from '../../functions/auth/passkeys/get.ts'
import { userHandleOf } from '../../functions/core/access/user-handle.ts'
import type { Account } from '../../functions/core/records/account.ts'
import create from '../../functions/me/passkeys/create.ts'
import begin from '../../functions/me/passkeys/options.ts'
import { pageHeaders } from './browser-session.ts'
import { call } from './call.ts'
import { annaWorld } from './second-factor.ts'
import { accountOf } from './sign-in.ts'

type Device = ReturnType<typeof softwareAuthenticator>
type Ports = Pick<
  MemoryPorts,
  'accounts' | 'sessions' | 'accessTokens' | 'passkeys' | 'clock' | 'random'
>

/** Adds a passkey to an account without a request. Returns it with its authenticator. */
export async function givenPasskey(ports: Ports, as: Partial<Account>, name = 'laptop') {
  const account = await accountOf(ports, as)
  const device = softwareAuthenticator()
  device.belongTo(userHandleOf(account))
  const { credentialId, publicKey } = device
  const made = { id: ports.random.id(), credentialId, publicKey, counter: 0, isSynced: false }
  const passkey = { ...made, name, createdAt: ports.clock.now(), lastUsedAt: null }
  const id = ports.random.id()
  await ports.passkeys.create({ id, accountId: account.id, passkeys: [passkey] })
  await ports.accounts.replace({ ...account, passkeySetId: id })
  return { passkey, device }
}

/** Returns ports with a signed-in account `anna`, and the requests for her passkeys. */
export async function passkeyWorld() {
  const world = await annaWorld()
  const { ports, token, password } = world
  const ask = (body: object = { password }, as: { token: string } = { token }) =>
    call(begin, { ports, body, as })
  const send = (body: object, as: { token: string } = { token }) =>
    call(create, { ports, body, as })
  const challenge = async () => (await call(getPasskeys, { ports })).json
  const sendSignIn = (passkey: object, more: object = {}) =>
    call(passkeyLogin, { ports, body: { passkey, ...more }, headers: pageHeaders() })
  return {
    ...world,
    ask,
    send,
    challenge,
    sendSignIn,
    passkeys: async () => {
      const { passkeySetId } = present(await ports.accounts.find(world.anna.id))
      return passkeySetId ? ((await ports.passkeys.find(passkeySetId))?.passkeys ?? []) : []
    },
    /** Adds a passkey by its two requests. Returns the authenticator and the last response. */
    async add({
      device = softwareAuthenticator(),
      body = { password },
      name = 'laptop',
    }: Adding = {}) {
      const asked = (await ask(body)).json
      const answer = await send({ name, ...device.create(asked) })
      return { device, answer }
    },
    /** Signs in with the passkey of an authenticator. */
    signInWith: async (device: Device, more: Deviation = {}) =>
      sendSignIn(device.get(await challenge(), more)),
  }
}

interface Adding {
  device?: Device
  body?: object
  name?: string
}
