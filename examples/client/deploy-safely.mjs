// Creates, deploys, changes and deletes a stack over a network that loses requests and responses.
// It makes each change once, and overwrites nothing that someone else saved.
//
//   SERVER=http://localhost:8080 TOKEN=cst_… node deploy-safely.mjs hello compose.yaml
import { readFile } from 'node:fs/promises'
import { connect, repeat, unwrap } from 'container-stacks-client'

const { SERVER = 'http://localhost:8080', TOKEN = '' } = process.env
const [name = 'hello', file = 'compose.yaml'] = process.argv.slice(2)
const { api, waitFor } = connect({ server: SERVER, token: TOKEN })
const params = { path: { name } }
/** Without it, a service that is away would be waited for without an end. */
const signal = AbortSignal.timeout(600_000)
const again = (send) => repeat(send, { signal })

async function create(compose) {
  const body = { name, compose }
  // `headers` has the Idempotency-Key, which is the same however often this is sent.
  await unwrap(again((headers) => api.POST('/stacks', { body, headers })))
  console.log(`${name}: created`)
}

/** Returns the stack and the ETag of what it is now. */
async function read() {
  const answer = await again(() => api.GET('/stacks/{name}', { params }))
  return { stack: await unwrap(answer), etag: answer.response.headers.get('etag') }
}

/** Deploys the revision that was planned, and no other. */
async function deploy() {
  const plan = await again(() => api.POST('/stacks/{name}/plan', { params, body: {} }))
  for (const step of await unwrap(plan)) console.log(`  ${step.action} ${step.kind} ${step.name}`)
  const revision = Number(plan.response.headers.get('x-revision'))
  const request = { params: { ...params, query: { wait: false } }, body: { revision } }
  const start = (headers) => api.POST('/stacks/{name}/deploy', { ...request, headers })
  const { status, error } = await waitFor(await unwrap(again(start)), { signal })
  if (status !== 'succeeded') throw new Error(error ?? status)
  console.log(`${name}: revision ${revision} is deployed`)
}

/**
 * Returns the text of `.env`, which is empty if there is none. It is null if the token may not read
 * it: it would then be overwritten.
 */
function envOf({ env, files }) {
  if (env === null && files.some(({ path }) => path === '.env'))
    throw new Error('.env cannot be read: the token lacks the permission stacks:secrets')
  return env ?? ''
}

/**
 * Sets a variable in `.env`. If the stack is not as it was `seen`, it is read again: by whom it was
 * changed does not matter, also if it was by this request, whose response was lost.
 */
async function setVariable(variable, value, seen) {
  for (let now = seen; ; now = await read()) {
    const before = envOf(now.stack)
    const lines = before.split('\n').filter(Boolean)
    const others = lines.filter((line) => !line.startsWith(`${variable}=`))
    const env = [...others, `${variable}=${value}`, ''].join('\n')
    if (env === before) break
    const request = { params: { ...params, header: { 'If-Match': now.etag } }, body: { env } }
    const answer = await again(() => api.PUT('/stacks/{name}', request))
    if (answer.response.headers.get('x-error-reason') !== 'stale-revision') {
      await unwrap(answer)
      break
    }
    console.log(`${name}: changed since it was read, reading it again`)
  }
  console.log(`${name}: ${variable} is set`)
}

/** Deletes the stack as it was seen. */
async function remove({ etag }) {
  const request = { params: { ...params, header: { 'If-Match': etag }, query: { wait: false } } }
  const answer = await again(() => api.DELETE('/stacks/{name}', request))
  // 404: an earlier request deleted it, and its response was lost.
  if (answer.response.status !== 404) {
    const { status, error } = await waitFor(await unwrap(answer), { signal })
    if (status !== 'succeeded') throw new Error(error ?? status)
  }
  console.log(`${name}: deleted`)
}

try {
  await create(await readFile(file, 'utf8'))
  await deploy()
  const seen = await read()
  await setVariable('COLOUR', 'blue', seen)
  // As someone would who read the stack before that change: this is refused at first.
  await setVariable('GREETING', 'hello', seen)
  await deploy()
  await remove(await read())
} catch (error) {
  console.error(`${name}: ${error.message}`)
  process.exitCode = 1
}
