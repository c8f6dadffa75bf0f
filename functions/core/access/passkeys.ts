import { conflict, invalidCredential, notFound, overloaded } from '../errors.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'
import type { Passkey, PasskeySet } from '../records/passkey.ts'
import { changeAccount, getAccount } from './change-account.ts'
import { claimChallenge } from './passkey-challenge.ts'
import { type AssertionProof, challengeOf, verifyAssertion } from './passkey-proof.ts'
import type { RelyingParty } from './relying-party.ts'
import { passwordHashOf } from './user.ts'

/** The ports that accepting a passkey needs. */
export type PasskeyPorts = Needs<'clock' | 'passkeys' | 'signInSteps'>

/** Passkeys that an account may have. */
export const passkeysMax = 10

/**
 * Returns the passkeys of an account in the order in which they were made. An account without a
 * password, such as one of an identity provider, has none.
 */
export async function passkeysOf(
  account: Account,
  ports: Needs<'passkeys'>,
): Promise<readonly Passkey[]> {
  return (await setOf(account, ports))?.passkeys ?? []
}

/**
 * Accepts what an authenticator signed with a passkey of an account, and records the use, so that
 * only one of several concurrent calls gets true. Takes as long for no account, for one without
 * passkeys, and for a passkey that it does not have. The challenge must be one of ours.
 *
 * @param refused gets the reason, for the log
 */
export async function consumePasskey(
  account: Account | undefined,
  proof: AssertionProof,
  party: RelyingParty,
  ports: PasskeyPorts,
  refused: (reason: string) => void = () => {},
): Promise<boolean> {
  for (let tries = 0; tries < 20; tries += 1) {
    const set = await setOf(account, ports)
    const known = set?.passkeys.find(({ credentialId }) => credentialId === proof.credential_id)
    const verified = await verifyAssertion(proof, known ?? stranger, party)
    if (!set || !known) {
      refused('the passkey is not known')
      return false
    }
    if ('refusal' in verified) {
      refused(verified.refusal)
      return false
    }
    // A further try is of the same call, which has the challenge already.
    if (tries === 0 && !(await claimChallenge(challengeOf(proof), ports))) {
      refused('the challenge was used before')
      return false
    }
    const used = { ...known, ...verified, lastUsedAt: ports.clock.now() }
    const passkeys = set.passkeys.map((one) => (one.id === used.id ? used : one))
    if (await ports.passkeys.replace({ ...set, passkeys })) return true
  }
  throw overloaded('the service is overloaded: try again in a moment')
}

/** The account that a new passkey is for, and the session in which the user confirmed it. */
export interface Registration {
  accountId: string
  sessionId: string
}

/**
 * Adds a passkey to an account.
 *
 * @throws 401 if the session has ended meanwhile, so that none outlasts a reset of the account
 * @throws 409 if the account has ten passkeys or has this one
 */
export async function addPasskey(
  { accountId, sessionId }: Registration,
  passkey: Passkey,
  ports: Needs<'accounts' | 'passkeys' | 'random' | 'sessions'>,
): Promise<void> {
  for (let tries = 0; tries < 8; tries += 1) {
    const account = await getAccount(accountId, ports)
    await requireLive(sessionId, account, ports)
    const set = await setOf(account, ports)
    refuse(set?.passkeys ?? [], passkey)
    const isAdded = set
      ? await ports.passkeys.replace({ ...set, passkeys: [...set.passkeys, passkey] })
      : await beginSet(account, passkey, ports)
    if (isAdded) return
  }
  throw beingChanged()
}

/**
 * Changes one passkey of an account, or removes it if `change` returns undefined.
 *
 * @throws 404 if the account has no such passkey
 */
export async function changePasskey(
  accountId: string,
  id: string,
  ports: Needs<'accounts' | 'passkeys'>,
  change: (passkey: Passkey) => Passkey | undefined,
): Promise<Passkey | undefined> {
  for (let tries = 0; tries < 8; tries += 1) {
    const set = await setOf(await getAccount(accountId, ports), ports)
    const known = set?.passkeys.find((one) => one.id === id)
    if (!set || !known) throw notFound('you have no such passkey')
    const next = change(known)
    const passkeys = set.passkeys.flatMap((one) => (one.id === id ? (next ?? []) : one))
    if (passkeys.length === 0) {
      if (await removeEmptied(set, ports)) return next
    } else if (await ports.passkeys.replace({ ...set, passkeys })) return next
  }
  throw beingChanged()
}

/** Returns the account without its passkeys. */
export const withoutPasskeys = <A extends Account>(account: A): A => ({
  ...account,
  passkeySetId: null,
})

/** Removes passkeys that an account no longer names. Only cleanup: they are not accepted. */
export async function removePasskeys(
  account: Pick<Account, 'passkeySetId'> | undefined,
  { passkeys }: Needs<'passkeys'>,
): Promise<void> {
  if (account?.passkeySetId) await passkeys.remove(account.passkeySetId)
}

/** Reads a record even if there is none to read, so that it takes as long. */
async function setOf(
  account: Account | undefined,
  { passkeys }: Needs<'passkeys'>,
): Promise<Stored<PasskeySet> | undefined> {
  const id = account && passwordHashOf(account) !== null ? account.passkeySetId : undefined
  const set = await passkeys.find(id ?? 'none')
  return set && set.accountId === account?.id ? set : undefined
}

async function requireLive(id: string, account: Account, { sessions }: Needs<'sessions'>) {
  const session = await sessions.find(id)
  const isKept = id === account.keptSessionId
  if (!session || (session.createdAt < account.sessionsValidFrom && !isKept))
    throw invalidCredential()
}

function refuse(passkeys: readonly Passkey[], { credentialId }: Passkey): void {
  if (passkeys.some((one) => one.credentialId === credentialId)) {
    throw conflict('you have this passkey already', { reason: 'exists' })
  }
  if (passkeys.length < passkeysMax) return
  throw conflict(
    `you have ${passkeys.length} passkeys, and an account may have ${passkeysMax}: delete one that is not used`,
    { reason: 'limit' },
  )
}

async function beginSet(
  account: Stored<Account>,
  passkey: Passkey,
  ports: Needs<'accounts' | 'passkeys' | 'random'>,
): Promise<boolean> {
  const id = ports.random.id()
  await ports.passkeys.create({ id, accountId: account.id, passkeys: [passkey] })
  if (await ports.accounts.replace({ ...account, passkeySetId: id })) return true
  await ports.passkeys.remove(id)
  return false
}

/**
 * Removes a set whose last passkey goes. Returns false if it was changed meanwhile. An account that
 * still names it has none.
 */
async function removeEmptied(
  { id, revision, accountId }: Stored<PasskeySet>,
  ports: Needs<'accounts' | 'passkeys'>,
): Promise<boolean> {
  if (!(await ports.passkeys.remove(id, revision))) return false
  await changeAccount(accountId, ports, (account) =>
    account.passkeySetId === id ? withoutPasskeys(account) : account,
  )
  return true
}

const beingChanged = () => conflict('your passkeys are being changed by another request: try again')

/** Stands for a passkey that is not known. Whatever is signed with it is refused. */
const stranger = {
  credentialId: 'AA',
  publicKey: Buffer.from(
    'a5010203262001215820' +
      '6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' +
      '225820' +
      '4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5',
    'hex',
  ).toString('base64url'),
  counter: 0,
}
