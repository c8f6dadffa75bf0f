import { expect, test } from 'vitest'
import { type MemoryPorts, memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { present } from '../../../adapters/testing/present.ts'
import { givenPasskey } from '../../../local/harness/passkeys.ts'
import { accountOf } from '../../../local/harness/sign-in.ts'
import { makeChallenge } from './passkey-challenge.ts'
import { changePasskey, consumePasskey, passkeysOf } from './passkeys.ts'
import { relyingPartyOf } from './relying-party.ts'

const party = { id: 'stacks.example.org', origin: 'https://stacks.example.org' }
const newRequest = (ports: MemoryPorts) => ({
  challenge: makeChallenge({ kind: 'sign-in' }, ports),
  rp_id: party.id,
  origin: party.origin,
})

test('a set that is of another account counts for none', async () => {
  const ports = memoryPorts()
  const { device } = await givenPasskey(ports, { username: 'bob' })
  const { passkeySetId } = await accountOf(ports, { username: 'bob' })
  const anna = { ...(await accountOf(ports, { username: 'anna' })), passkeySetId }
  expect(await passkeysOf(anna, ports)).toEqual([])
  expect(await consumePasskey(anna, device.get(newRequest(ports)), party, ports)).toBe(false)
})

test('a counter only grows, whichever of two uses is written first', async () => {
  const ports = memoryPorts()
  const { device } = await givenPasskey(ports, { username: 'bob' })
  const account = await accountOf(ports, { username: 'bob' })
  const { replace } = ports.passkeys
  ports.passkeys.replace = async (set) => {
    ports.passkeys.replace = replace
    const later = device.get(newRequest(ports), { counter: 9 })
    expect(await consumePasskey(account, later, party, ports)).toBe(true)
    return replace(set)
  }
  const earlier = device.get(newRequest(ports), { counter: 5 })
  expect(await consumePasskey(account, earlier, party, ports)).toBe(false)
  expect(await passkeysOf(account, ports)).toMatchObject([{ counter: 9 }])
})

test('a use and a new name at the same time are both kept', async () => {
  const ports = memoryPorts()
  const { device, passkey } = await givenPasskey(ports, { username: 'bob' })
  const account = await accountOf(ports, { username: 'bob' })
  const { replace } = ports.passkeys
  ports.passkeys.replace = async (set) => {
    ports.passkeys.replace = replace
    await changePasskey(account.id, passkey.id, ports, (one) => ({ ...one, name: 'other' }))
    return replace(set)
  }
  expect(await consumePasskey(account, device.get(newRequest(ports)), party, ports)).toBe(true)
  const [kept] = await passkeysOf(account, ports)
  expect(present(kept)).toMatchObject({ name: 'other', counter: 1 })
})

test('the address of memory ports allows passkeys', () => {
  expect(relyingPartyOf(memoryPorts().site)).toEqual(party)
})
