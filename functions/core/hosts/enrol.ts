import { createHash } from 'node:crypto'
import { conflict, invalid, unauthenticated } from '../errors.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Host, HostAgent } from '../records/host.ts'
import { normalName } from '../records/normal-name.ts'
import { fingerprintOf, makeEnrolmentToken } from './enrolment-token.ts'
import { getHost } from './target.ts'

/** Lifetime of an enrolment token in milliseconds. */
export const enrolmentLife = 30 * 60 * 1000

const triesMax = 8
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/**
 * Creates a one-time token to enrol the agent of a host, also of a revoked one. Earlier tokens of
 * the host become invalid. `expiresAt` is in milliseconds since the epoch.
 *
 * @throws 400 for the local host, which has no agent
 * @throws 404 if the host was deleted in the meantime
 */
export async function offerEnrolment(
  hostId: string,
  ports: Needs<'enrolments' | 'hosts' | 'authority' | 'random' | 'clock'>,
): Promise<{ token: string; expiresAt: number }> {
  const token = makeEnrolmentToken(ports.random.bytes(32), await ports.authority.fingerprint())
  const expiresAt = ports.clock.now() + enrolmentLife
  const enrolment = hashOf(token)
  await ports.enrolments.create(enrolment, { hostId, expiresAt })
  await changeHost(hostId, ports, (before) => {
    requireAgent(before)
    const state = before.agent.state === 'enrolled' ? 'enrolled' : 'pending'
    const accessChanges = nextAccessChange(before.agent)
    return { ...before, agent: { ...before.agent, state, enrolment, accessChanges } }
  })
  return { token, expiresAt }
}

/**
 * Issues a certificate for the key of an agent that presents a token. Earlier certificates of the
 * host become invalid. An invalid request does not consume the token.
 *
 * @throws 400 if the signing request is invalid
 * @throws 401 if the token is unknown, used, replaced or expired
 * @throws 404 if the host was deleted in the meantime
 * @throws 409 if the host was revoked in the meantime
 */
export async function enrolAgent(
  token: string,
  request: string,
  ports: Needs<'enrolments' | 'authority' | 'hosts'>,
): Promise<{ host: Host; certificate: string }> {
  if (!fingerprintOf(token)) throw unauthenticated('the enrolment token is invalid')
  // Signed once before the token is consumed, only to check the request. The certificate below gets
  // the real host ID.
  await ports.authority.sign(request, 'trial')
  const hash = hashOf(token)
  const taken = await ports.enrolments.take(hash)
  if (!taken) throw invalidToken()
  const { hostId } = taken
  const { certificate, serial, expiresAt } = await ports.authority.sign(request, hostId)
  const host = await changeHost(hostId, ports, (before) => {
    if (before.agent?.state === 'revoked')
      throw conflict(`host ${before.name} was revoked`, { reason: 'host-revoked' })
    const { enrolment = hash } = before.agent ?? {}
    if (enrolment !== hash) throw invalidToken()
    const enrolled = { state: 'enrolled', nextSerial: null, enrolment: null } as const
    const agent = { ...before.agent, ...enrolled, serial, certificateExpiresAt: expiresAt }
    return { ...before, agent }
  })
  return { host, certificate }
}

const invalidToken = () =>
  unauthenticated(
    'the enrolment token is unknown, used, expired or replaced by a newer one: enrol the host again for a new token',
  )

/**
 * Applies a change to the current version of a host, and retries if another change came first.
 * Returns the host as written.
 *
 * @throws 404 if the host does not exist
 * @throws 409 if its new name is taken, or if every attempt met another change
 */
export async function changeHost(
  id: string,
  { hosts }: Needs<'hosts'>,
  change: (host: Stored<Host>) => Stored<Host>,
): Promise<Host> {
  return untilWritten(async () => {
    const next = change(await getHost(id, { hosts }))
    if (await hosts.replace(next)) return next
    const name = normalName(next.name)
    const holder = (await hosts.list()).find((host) => normalName(host.name) === name)
    if (holder && holder.id !== id) throw hostNameTaken(next.name)
    return undefined
  })
}

/**
 * Repeats a change of a host until no other change comes first. `attempt` reads the host, and
 * returns undefined if it was changed since.
 *
 * @throws 409 if every attempt met another change
 */
export async function untilWritten<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const written = await attempt()
    if (written !== undefined) return written
  }
  throw conflict('the host is being changed by another request: try again')
}

/** Returns the number of `accessChanges` after one more. */
export const nextAccessChange = ({ accessChanges = 0 }: HostAgent): number => accessChanges + 1

/** 409: another host has the name. */
export const hostNameTaken = (name: string) =>
  conflict(`the host name ${name} is taken`, { reason: 'exists' })

/**
 * Returns whether an agent of the host was enrolled at any time, also if it was revoked and waits
 * for the next one. Its newest certificate stays in the record.
 */
export const hasEnrolled = ({ state, certificateExpiresAt }: HostAgent): boolean =>
  state === 'enrolled' || certificateExpiresAt !== null

/**
 * Checks that a host has an agent.
 *
 * @throws 400 for the local host, which has none
 */
export function requireAgent(host: Host): asserts host is Host & { agent: object } {
  if (!host.agent) throw invalid(`host ${host.id}: the local host has no agent`)
}
