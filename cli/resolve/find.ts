import type { Client } from '../api/client.ts'
import { type Candidate, isWholeId, resolve, unknown } from './resolve.ts'

/**
 * Each function returns what a text names: by id, by name, or by the beginning of an id if it is
 * unique. They throw a `CliFailure` if there is no such thing, or several.
 */
export const findHost = async (service: Client, text: string) =>
  one('host', text, (await service.get('/hosts')).value)

export const findToken = async (service: Client, text: string) =>
  one('API token', text, (await service.get('/api-tokens')).value)

export const findPasskey = async (service: Client, text: string) =>
  one('passkey', text, (await service.get('/me/passkeys')).value)

export const findJob = async (service: Client, text: string) =>
  one('backup job', text, (await service.get('/backup-jobs')).value)

export const findChannel = async (service: Client, text: string) =>
  one('alert channel', text, (await service.get('/alert-channels')).value)

/** Returns the ids of alert channels, or undefined if none are named. */
export async function findChannelIds(service: Client, texts: readonly string[]) {
  if (texts.length === 0) return undefined
  const { value } = await service.get('/alert-channels')
  return texts.map((text) => one('alert channel', text, value).id)
}

export const findProvider = async (service: Client, text: string) =>
  one('identity provider', text, (await service.get('/oidc-providers')).value)

export const findRule = async (service: Client, text: string) =>
  one('alert rule', text, (await service.get('/alert-rules')).value)

export async function findUser(service: Client, text: string) {
  const { value } = await service.get('/users')
  return one(
    'user',
    text,
    value.map((user) => ({ ...user, name: user.username })),
  )
}

/** Returns the id of a backup or restore run. Runs have no names. */
export async function findRun(service: Client, text: string): Promise<string> {
  if (isWholeId(text)) return text
  return one('run', text, idsOf((await service.get('/backup-runs')).value)).id
}

/** Returns the id of an operation. Operations have no names. */
export async function findOperation(service: Client, text: string): Promise<string> {
  if (isWholeId(text)) return text
  return one('operation', text, idsOf((await service.get('/operations')).value)).id
}

/** Returns the id of one of the caller's sessions. Sessions have no names. */
export async function findSession(service: Client, text: string): Promise<string> {
  if (isWholeId(text)) return text
  return one('session', text, idsOf((await service.get('/me/sessions')).value)).id
}

/** Only the id counts: what else has a name, such as its job, does not name the thing itself. */
export const idsOf = (things: readonly { id: string }[]): Candidate[] =>
  things.map(({ id }) => ({ id }))

/** @throws `CliFailure` 1 if nothing matches, 2 if several match */
export function one<C extends Candidate>(noun: string, text: string, candidates: readonly C[]): C {
  const found = resolve(noun, text, candidates)
  if (!found) throw unknown(noun, text, candidates)
  return found
}
