import type { Source } from '../api/types.ts'
import { failed } from '../failure.ts'
import { clean } from '../output/text.ts'
import { answersYes, askShown, openSecrets } from '../prompt.ts'
import { sourcePatience } from '../source-patience.ts'
import type { Work } from './work.ts'

/** How often what is missing is asked for. */
const triesMax = 4

type LookError = NonNullable<Source['last_error']>

/**
 * Looks at a source until it can be read, and asks on a terminal for what is missing: the key of
 * the server, a deploy key at the server, or an account. Throws a `CliFailure` that says what is
 * wrong, with the flags that help where there is no terminal.
 */
export async function reachSource({ name }: Source, work: Work): Promise<Source> {
  for (let tries = 1; ; tries += 1) {
    const request = { path: { name }, timeout: sourcePatience }
    const { value: source } = await work.client.post('/sources/{name}/look', request)
    const error = source.last_error
    if (error === null) return source
    if (tries === triesMax) throw cannotRead(source, error)
    await mend(source, error, work)
  }
}

/** Asks for what is missing, or throws. */
async function mend(source: Source, error: LookError, work: Work): Promise<void> {
  if (error.reason === 'host-key-unknown' && error.host_key !== null) {
    return confirmHostKey(source, error.host_key, work)
  }
  if (error.reason !== 'denied') throw cannotRead(source, error)
  if (source.public_key !== null) return addDeployKey(source, source.public_key, work)
  return askAccount(source, error, work)
}

const cannotRead = ({ name }: Source, { reason, message }: LookError) =>
  failed(`the source ${clean(name)} cannot be read: ${reason}: ${clean(message)}`)

async function confirmHostKey(source: Source, key: string, { client, io, print }: Work) {
  const said = `the server has the key ${clean(key)}`
  const advice = 'compare it with the fingerprint that its operator publishes'
  if (!io.stdin.isTTY) {
    throw failed(`${said}, which is not confirmed`, {
      hint: `${advice}, and repeat the command with --host-key ${clean(key)}`,
    })
  }
  print.note(`${said}: ${advice}`)
  if (!(await answersYes(io, 'Is this the key of the server?'))) {
    throw failed('the key of the server was not confirmed')
  }
  await client.put('/sources/{name}', { path: { name: source.name }, body: { host_key: key } })
}

async function addDeployKey(source: Source, key: string, { io, print }: Work) {
  const advice = 'add this public key at the server, as a deploy key that may read'
  if (!io.stdin.isTTY) {
    throw failed(`the server does not know the key of the source ${clean(source.name)}`, {
      hint: `${advice}, and repeat the command: ${clean(key)}`,
    })
  }
  print.note(`${advice}:\n${clean(key)}`)
  if (!(await answersYes(io, 'Is the key added?'))) throw failed('the key was not added')
}

async function askAccount(source: Source, error: LookError, { client, io, print }: Work) {
  if (!io.stdin.isTTY) {
    const name = clean(source.name)
    throw failed(`the source ${name} cannot be read: ${clean(error.message)}`, {
      hint: `cli sources update ${name} --user <name> --password reads the password from standard input; then repeat the command with --source ${name}`,
    })
  }
  print.note(clean(error.message))
  const username = await askShown(io, 'User name at the server?')
  const password = await openSecrets(io).next('Password or token?')
  const body = { username, password }
  await client.put('/sources/{name}', { path: { name: source.name }, body })
}
